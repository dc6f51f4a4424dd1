// SPDX-License-Identifier: Apache-2.0

import TestFixtures

/// MPEG 1 layer 3 frames at 44.1 kHz, taken from the fixtures, for files of any length.
struct MPEGFrames {
  /// Frames of sound, a header with a count not among them.
  let frames: [[UInt8]]
  /// The frame with a count before them, if there is one.
  let info: [UInt8]?

  /// The frames of a fixture.
  init(of fixture: String) throws {
    let bytes = try TemporaryFolder.bytes(of: fixture)
    var (found, offset): ([[UInt8]], Int) = ([], 0)
    if bytes.starts(with: Array("ID3".utf8)) {
      offset = 10 + bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
    }
    while offset + 4 <= bytes.count, let length = Self.length(bytes[offset..<offset + 4]) {
      guard offset + length <= bytes.count else { break }
      found.append(Array(bytes[offset..<offset + length]))
      offset += length
    }
    let hasInfo = found.first.map { ["Info", "Xing"].contains(Self.name(of: $0)) } ?? false
    info = hasInfo ? found.removeFirst() : nil
    frames = found
  }

  /// Bytes of the first `count` frames, repeated where there are not as many.
  func stream(_ count: Int) -> [UInt8] { (0..<count).flatMap { frames[$0 % frames.count] } }

  /// The same behind a header that counts them, and tells of a delay of 100 (0x064) and a padding of
  /// 600 (0x258) frames of sound.
  func countedStream(_ count: Int) throws -> [UInt8] {
    var head = info ?? []
    let stream = stream(count)
    let tag = Self.infoOffset
    // Of the fields only the counts of frames and of bytes are kept where they stand.
    head.replaceSubrange(tag + 8..<tag + 12, with: Self.big(count))
    head.replaceSubrange(tag + 12..<tag + 16, with: Self.big(head.count + stream.count))
    head.replaceSubrange(tag + 141..<tag + 144, with: [0x06, 0x42, 0x58])
    return head + stream
  }

  /// Frames of sound that are not heard of a stream with a count.
  static let trimmed = 700
  private static let infoOffset = 4 + 32

  private static func name(of frame: [UInt8]) -> String {
    String(decoding: frame[infoOffset..<infoOffset + 4], as: UTF8.self)
  }

  private static func big(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * (3 - $0))) }
  }

  private static func length(_ header: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(header)
    guard bytes[0] == 0xFF, bytes[1] & 0xFE == 0xFA, bytes[2] >> 2 & 3 == 0 else { return nil }
    let rates = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    let index = Int(bytes[2] >> 4)
    guard (1...14).contains(index) else { return nil }
    return 144 * rates[index - 1] * 1_000 / 44_100 + Int(bytes[2] >> 1 & 1)
  }
}
