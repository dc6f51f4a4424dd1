// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

@testable import AttaccaNetwork

/// Seeks in MP3 on a server: to the frame, whatever its header tells, and no byte is sent twice.
@Suite("Seeks in MP3 over HTTP") struct MP3SeekTests {
  let server = RangeServer.shared

  struct Kind: Sendable, CustomTestStringConvertible {
    let options: String
    let header: Header
    var testDescription: String { "\(options) \(header)" }
  }

  enum Header: Sendable {
    case info, none, vbri
    /// It says "Info" of a varying rate, or "Xing" of a constant one.
    case swapped
  }

  static let kinds = ["-b:a 128k", "-q:a 4"].flatMap { options in
    [Header.info, .none, .vbri, .swapped].map {
      Kind(options: "-c:a libmp3lame \(options)", header: $0)
    }
  }

  /// A file of 4 s, and its name on the server.
  private func serve(_ kind: Kind) throws -> (path: String, name: String, size: Int) {
    let name = "\(kind.header)-\(kind.options.filter(\.isNumber)).mp3"
    let options = kind.options + ([.info, .swapped].contains(kind.header) ? "" : " -write_xing 0")
    var path = try EncodedFile.path(options + " -id3v2_version 0", name)
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    if kind.header == .vbri {
      bytes = Self.vbriFrame(of: bytes) + bytes
      path += ".vbri.mp3"
      try Self.put(bytes, path)
    }
    if kind.header == .swapped {
      let words = ["Info", "Xing"].map { Array($0.utf8) }
      let place = try #require(
        bytes.indices.first { words.contains(Array(bytes[$0...].prefix(4))) })
      bytes.replaceSubrange(place..<place + 4, with: words[bytes[place] == words[0][0] ? 1 : 0])
      path += ".swapped.mp3"
      try Self.put(bytes, path)
    }
    try server.put(bytes, name)
    return (path, name, bytes.count)
  }

  /// Puts a file where other cases, at the same time, may read it: half of one was there for them.
  private static func put(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  /// A frame as the first of `bytes`, silent, with a header of Fraunhofer's encoder for what follows.
  private static func vbriFrame(of bytes: [UInt8]) -> [UInt8] {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    // MPEG 1, layer 3, 128 kbit/s at 48 kHz: 384 bytes.
    let (head, length): ([UInt8], Int) = ([0xFF, 0xFB, 0x94, bytes[3]], 384)
    let header =
      Array("VBRI".utf8) + big(1, 2) + big(0, 2) + big(75, 2) + big(bytes.count + length, 4)
      + big(4 * 48_000 / 1_152 + 1, 4) + big(1, 2) + big(1, 2) + big(2, 2) + big(168, 2)
      + big(bytes.count / 2, 2)
    let front = head + [UInt8](repeating: 0, count: 32)
    return front + header + [UInt8](repeating: 0, count: length - front.count - header.count)
  }

  @Test(.timeLimit(.minutes(5)), arguments: kinds, ["ranges", "throttled=60000", "none"])
  func `a seek is linear decoding from there, and each byte is sent once`(
    kind: Kind, mode: String
  ) async throws {
    let (path, name, size) = try serve(kind)
    let expected = try Fixtures.samples(at: path)
    let reader = try await HTTPSource(server.address(mode, name))!.open()
    let length = expected.count / 2
    #expect(length > 4 * 48_000 - 1)
    var numbers = SplitMix64(seed: 16)
    var frames = (0..<12).map { _ in Int.random(in: 0..<length - 3_000, using: &numbers) }
    // From the start far ahead, and back.
    frames.insert(length - 3_000, at: 0)
    frames.insert(5, at: 1)
    for frame in frames {
      try reader.seek(to: Int64(frame))
      let heard = Heard.reading(reader, count: 6_000).samples.prefix(6_000)
      #expect(heard.count == 6_000)
      let rest = expected[(2 * frame)...].prefix(6_000)
      let difference = zip(heard, rest).map { abs($0 - $1) }.max() ?? 1
      #expect(difference < 1e-5, "\(frame): \(difference)")
    }
    reader.cancel()
    guard mode != "none" else { return }
    let answers = try server.answers(mode, name)
    let sent = answers.compactMap { Int($0.dropFirst(4)) }.reduce(0, +)
    #expect(sent <= size, "\(answers)")
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["-ar 44100 -b:a 128k", "-ar 48000 -b:a 320k -ac 1"])
  func `of a constant rate what lies before a place is not asked for`(options: String) async throws
  {
    let (name, frames) = (
      "long-\(options.filter(\.isNumber)).mp3", options.contains("44") ? 44_100 : 48_000
    )
    try EncodedFile.run(
      [
        "-stream_loop", "-1", "-i", Fixtures.path(EncodedFile.source), "-t", "120", "-c:a",
        "libmp3lame",
      ]
        + options.split(separator: " ").map(String.init) + ["\(server.folder)/\(name)"])
    let expected = try Fixtures.samples(at: "\(server.folder)/\(name)")
    let channels = expected.count / (120 * frames)
    let source = try #require(HTTPSource(server.address("throttled=200000", name)))
    let reader = try await source.open()
    #expect(reader.frameCount == Int64(expected.count / channels))
    var numbers = SplitMix64(seed: 17)
    for part in [0.9, 0.5, 0.7, 0.2] {
      let frame = Int(part * 120) * frames + Int.random(in: 0..<frames, using: &numbers)
      try reader.seek(to: Int64(frame))
      let heard = Heard.reading(reader, count: 6_000).samples.prefix(6_000)
      let rest = expected[(channels * frame)...].prefix(6_000)
      let difference = zip(heard, rest).map { abs($0 - $1) }.max() ?? 1
      #expect(heard.count == 6_000 && difference < 1e-5, "\(frame): \(difference)")
    }
    // Half of it would have to come for the first of them alone.
    #expect(try #require(source.loadedPortion) < 0.5)
    reader.cancel()
  }
}
