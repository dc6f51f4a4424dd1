// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

@testable import AttaccaNetwork

/// What the process attacca-decode decodes, of bytes that it asks for, compared with the file.
@Suite("The helper over HTTP") struct HelperOverNetworkTests {
  let server = RangeServer.shared

  struct Kind: Sendable, CustomTestStringConvertible {
    let options: String
    let name: String
    var testDescription: String { "\(options) \(name)" }
  }

  static let kinds = [
    // Its table is at the end.
    Kind(options: "-c:a alac", name: "alac.m4a"), Kind(options: "-c:a aac", name: "end.m4a"),
    Kind(options: "-c:a aac -movflags faststart", name: "start.m4a"),
    Kind(
      options: "-c:a aac -movflags frag_keyframe+empty_moov -frag_duration 500000",
      name: "parts.mp4"),
    Kind(options: "-c:a aac", name: "bare.aac"), Kind(options: "-c:a aac", name: "stream.ts"),
    Kind(options: "-c:a libopus -ar 48000", name: "opus.mka"),
    Kind(options: "-c:a wavpack", name: "packed.wv"), Kind(options: "-c:a wmav2", name: "w.wma"),
  ]

  private func serve(_ kind: Kind) throws -> (path: String, name: String) {
    let path = try EncodedFile.path(kind.options, kind.name)
    try server.put(Array(Data(contentsOf: URL(fileURLWithPath: path))), kind.name)
    return (path, kind.name)
  }

  private func source(_ mode: String, _ name: String) throws -> HTTPSource {
    try #require(HTTPSource(server.address(mode, name)))
  }

  @Test(.timeLimit(.minutes(10)), arguments: kinds, ["ranges", "close"])
  func `frames are the file's, with ranges and without`(kind: Kind, mode: String) async throws {
    let (path, name) = try serve(kind)
    let reader = try await source(mode, name).open()
    let local = try SoundFile(path: path, pool: FramePool())
    #expect(reader.format == local.format)
    // Some tags are at the end alone, and some tables come part by part.
    let isWhole = mode == "ranges" || !["packed.wv", "parts.mp4"].contains(name)
    if isWhole {
      #expect(reader.tags.title == local.tags.title)
      if local.lengthSearch == nil { #expect(reader.frameCount == local.frameCount) }
    }
    let heard = Heard.reading(reader)
    #expect(firstDifference(heard.samples, try Fixtures.samples(at: path)) == nil)
    #expect(heard.error == nil)
    #expect(reader.frameCount == Int64(heard.samples.count / reader.format.channelCount))
  }

  @Test(.timeLimit(.minutes(10)), arguments: [kinds[1], kinds[2], kinds[4], kinds[6]])
  func `a connection that breaks every 7,000 bytes loses none`(kind: Kind) async throws {
    let (path, name) = try serve(kind)
    let heard = try await Heard.of(try source("reset=7000", name))
    #expect(firstDifference(heard.samples, try Fixtures.samples(at: path)) == nil)
    #expect(heard.error == nil)
  }

  @Test(
    .timeLimit(.minutes(10)), arguments: [kinds[0], kinds[2], kinds[4]],
    ["stall=3000", "throttled=15000"])
  func `bytes that come late are waited for`(kind: Kind, mode: String) async throws {
    let (path, name) = try serve(kind)
    // Of ALAC that would be for long; with the table at the end it opens once all is there.
    guard kind.name != "alac.m4a" || mode.hasPrefix("stall") else { return }
    let heard = try await Heard.of(try source(mode, name))
    #expect(firstDifference(heard.samples, try Fixtures.samples(at: path)) == nil)
    #expect(heard.error == nil)
    // A stall may be over before so much has been read.
    #expect(heard.waits > 0 || mode.hasPrefix("stall"))
  }

  @Test(
    .timeLimit(.minutes(10)), arguments: [kinds[0], kinds[1], kinds[3], kinds[5]],
    ["ranges", "none"])
  func `seeks are those of the file`(kind: Kind, mode: String) async throws {
    let (path, name) = try serve(kind)
    let reader = try await source(mode, name).open()
    let file = try SoundFile(path: path, pool: FramePool())
    var numbers = SplitMix64(seed: 7)
    for _ in 0..<6 {
      let frame = Int64.random(in: 0..<4 * 44_100 - 4_000, using: &numbers)
      try reader.seek(to: frame)
      try file.seek(to: frame)
      let chunk = try #require(try file.read(frames: 3_000))
      let samples = chunk.frameCount * chunk.format.channelCount
      let heard = Heard.reading(reader, count: samples).samples.prefix(samples)
      let difference =
        zip(
          heard, UnsafeBufferPointer(start: chunk.storage.samples, count: samples)
        ).map { abs($0 - $1) }.max() ?? 0
      #expect(heard.count == samples, "\(frame)")
      // Noise that a code makes up (PNS) is another with another way to a place.
      #expect(difference <= (kind.options.contains("aac") ? 0.02 : 1e-6), "\(frame)")
    }
  }

  @Test func `a table at the end is asked for, and not waited for`() async throws {
    let (_, name) = try serve(Self.kinds[0])
    let reader = try await source("throttled=50000", name).open()
    #expect(reader.tags.title == "Elsewhere")
    reader.cancel()
    let requests = try server.requests("throttled=50000", name)
    #expect((2...4).contains(requests.count), "\(requests)")
  }

  @Test func `an address that is cut short says so`() async throws {
    let path = try EncodedFile.path("-c:a aac -movflags faststart", "start.m4a")
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    try server.put(Array(bytes[..<(bytes.count / 2)]), "half.m4a")
    let heard = try await Heard.of(try source("ranges", "half.m4a"))
    #expect(heard.error?.kind == .truncated, "\(String(describing: heard.error))")
    let all = try Fixtures.samples(at: path)
    #expect(firstDifference(heard.samples, Array(all[..<heard.samples.count])) == nil)
    #expect(heard.samples.count > all.count / 3)
  }

  @Test(.timeLimit(.minutes(10)))
  func `a broadcast of AAC has its titles, each with the packet behind it`() async throws {
    let (path, _) = try serve(Self.kinds[4])
    try server.put(Array(Data(contentsOf: URL(fileURLWithPath: path))), "live.aac")
    let frames = NetworkFrames(try source("icy=2000", "live.aac"), pool: FramePool())
    try frames.open()
    var (samples, changes) = ([Float](), [TagChange]())
    var failure: SoundFileError?
    while failure == nil {
      do {
        guard let chunk = try frames.read(frames: 10_000) else { break }
        samples += UnsafeBufferPointer(
          start: chunk.storage.samples, count: chunk.frameCount * 2)
        changes += frames.takeTagChanges()
      } catch is SourceIsWaiting {
      } catch {
        failure = error as? SoundFileError
      }
    }
    #expect(failure?.kind == .missing)
    let expected = try Fixtures.samples(at: path)
    #expect(firstDifference(samples, expected) == nil)
    let titles = changes.map { $0.tags.title ?? "" }
    #expect(titles.prefix(3) == ["It''s 0", "It''s 1", "It''s 2"], "\(titles)")
    #expect(zip(changes, changes.dropFirst()).allSatisfy { $0.frame < $1.frame })
  }
}
