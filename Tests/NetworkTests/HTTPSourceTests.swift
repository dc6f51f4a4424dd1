// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SoundFiles
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// Sources read from a real server, compared with the file.
@Suite("Sources over HTTP") struct HTTPSourceTests {
  let server = RangeServer.shared

  /// Files of each container and code that is decoded in this process.
  static let files = [
    "formats/flac16.flac", "formats/mp3-cbr.mp3", "formats/mp3-vbr-no-header.mp3",
    "album/03 wav.wav",
    "album/04 aiff.aiff", "album/10 caf mono.caf", "album/07 vorbis.ogg", "album/08 opus.opus",
    "formats/vorbis-chained.ogg",
    "formats/opus-5.1.opus",
  ]

  /// Puts a fixture on the server.
  ///
  /// - Returns: its name there.
  private func serve(_ path: String) throws -> String {
    let name = path.replacing("/", with: "-").replacing(" ", with: "-")
    try server.put(Array(Data(contentsOf: URL(fileURLWithPath: Fixtures.path(path)))), name)
    return name
  }

  private func source(
    _ mode: String, _ name: String, _ options: HTTPOptions = HTTPOptions()
  ) throws -> HTTPSource {
    try #require(HTTPSource(server.address(mode, name), options: options))
  }

  @Test(arguments: files)
  func `frames are the file's where the server has ranges`(path: String) async throws {
    let heard = try await Heard.of(try source("ranges", try serve(path)))
    let expected = try Fixtures.samples(path)
    #expect(firstDifference(heard.samples, expected) == nil)
    #expect(heard.error == nil)
  }

  @Test(arguments: files, ["none", "chunked", "close"])
  func `frames are the file's where bytes come in their order alone`(
    path: String, mode: String
  ) async throws {
    let heard = try await Heard.of(try source(mode, try serve(path)))
    #expect(firstDifference(heard.samples, try Fixtures.samples(path)) == nil)
    #expect(heard.error == nil)
  }

  @Test(arguments: files)
  func `a connection that breaks is made again and goes on at the byte`(path: String) async throws {
    let name = try serve(path)
    let heard = try await Heard.of(try source("reset=7000", name))
    #expect(firstDifference(heard.samples, try Fixtures.samples(path)) == nil)
    #expect(heard.error == nil)
    #expect(try server.requests("reset=7000", name).count > 1)
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: ["album/01 flac.flac", "album/13 flac 5.1.flac"])
  func `a seek while bytes are waited for goes on from where it leads`(path: String) async throws {
    let reader = try await source("stall=1500", try serve(path)).open()
    let channels = reader.format.channelCount
    var block = [Float](repeating: 0, count: 4_096 * channels)
    waiting: while true {
      switch try block.withUnsafeMutableBufferPointer({ try reader.read(into: $0) }) {
      case .frames: continue
      case .wait: break waiting
      case .end: throw Unwaited()
      }
    }
    try reader.seek(to: 100)
    let heard = Heard.reading(reader)
    let expected = Array(try Fixtures.samples(path)[(100 * channels)...])
    #expect(firstDifference(heard.samples, expected) == nil)
    #expect(heard.error == nil)
  }

  private struct Unwaited: Error {}

  @Test func `chapters and tags of what is elsewhere are the file's`() async throws {
    let name = "chapters.flac"
    let comments = ["TITLE=Elsewhere", "CHAPTER001=00:00:00.500", "CHAPTER001NAME=One"]
    var bytes = Array(
      try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("formats/flac16.flac"))))
    bytes.insert(contentsOf: Self.commentBlock(comments), at: 42)
    try server.put(bytes, name)
    let reader = try await source("ranges", name).open()
    #expect(reader.tags.title == "Elsewhere")
    #expect(reader.chapters.map(\.title) == ["One"])
  }

  /// FLAC's block of comments, to stand behind its first block.
  private static func commentBlock(_ comments: [String]) -> [UInt8] {
    func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let list = comments.flatMap { little($0.utf8.count) + Array($0.utf8) }
    let content = little(0) + little(comments.count) + list
    let size = content.count
    return [4, UInt8(size >> 16), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)] + content
  }

  @Test func `all of it comes again where the server has no ranges`() async throws {
    let name = try serve("formats/flac16.flac")
    let heard = try await Heard.of(try source("resetnone", name))
    #expect(firstDifference(heard.samples, try Fixtures.samples("formats/flac16.flac")) == nil)
    #expect(try server.requests("resetnone", name).count == 2)
  }

  @Test(arguments: [
    "formats/flac16.flac", "formats/mp3-cbr.mp3", "album/03 wav.wav", "album/07 vorbis.ogg",
    "album/08 opus.opus",
  ])
  func `seeks are those of the file`(path: String) async throws {
    let reader = try await (try source("ranges", try serve(path))).open()
    let file = try SoundFile(path: Fixtures.path(path), pool: FramePool())
    let length = try #require(file.frameCount)
    for part in [0.9, 0.1, 0.5, 0.0, 0.99] {
      let frame = Int64(Double(length) * part)
      try reader.seek(to: frame)
      try file.seek(to: frame)
      let chunk = try #require(try file.read(frames: 3_000))
      let samples = chunk.frameCount * chunk.format.channelCount
      let heard = Heard.reading(reader, count: samples)
      let expected = Array(UnsafeBufferPointer(start: chunk.storage.samples, count: samples))
      #expect(firstDifference(Array(heard.samples.prefix(samples)), expected) == nil, "\(part)")
    }
  }

  @Test(arguments: ["album/07 vorbis.ogg", "album/08 opus.opus", "formats/mp3-cbr.mp3"])
  func `seeks without ranges are linear decoding`(path: String) async throws {
    let reader = try await (try source("none", try serve(path))).open()
    let expected = try Fixtures.samples(path)
    let channels = reader.format.channelCount
    let length = expected.count / channels
    for part in [0.9, 0.1, 0.5, 0.0] {
      let frame = Int(Double(length) * part)
      try reader.seek(to: Int64(frame))
      let heard = Heard.reading(reader, count: 3_000 * channels).samples.prefix(3_000 * channels)
      let rest = expected[(frame * channels)...].prefix(3_000 * channels)
      // What a lossy decoder carries over from before may differ in the last bits behind a seek.
      let difference = zip(heard, rest).map { abs($0 - $1) }.max() ?? 0
      #expect(heard.count == rest.count)
      #expect(difference < 0.001, "\(part): \(difference)")
    }
  }
}
