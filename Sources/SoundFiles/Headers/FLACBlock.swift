// SPDX-License-Identifier: Apache-2.0

/// The header of a block of samples in a FLAC stream, which the format calls a frame (RFC 9639 §9.1).
struct FLACBlock {
  /// True where `number` is that of a sample, not of the block.
  let isVariable: Bool
  let number: Int64
  /// On each channel.
  let samples: Int
  /// Frames in a second; nil where only the STREAMINFO tells, as are the bits.
  let sampleRate: Int?
  let channelCount: Int
  /// Of a sample.
  let bits: Int?

  /// Bytes of the longest header, and of the shortest block.
  static let longestHeader = 16
  static let shortest = 10

  /// `nil` where `bytes` do not begin with a header whose checksum is right.
  init?(_ bytes: ArraySlice<UInt8>) {
    let head = Array(bytes.prefix(Self.longestHeader))
    // Synchronisation, a reserved bit, a size and a rate that there are, the channels, a reserved bit.
    guard head.count >= Self.shortest, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[2] >> 4 != 0,
      head[2] & 15 != 15, head[3] >> 4 <= 10, head[3] >> 1 & 7 != 3, head[3] & 1 == 0
    else { return nil }
    isVariable = head[1] & 1 != 0
    // As in UTF-8: the ones that a first byte begins with count the bytes.
    let ones = (~head[4]).leadingZeroBitCount
    guard ones != 1, ones < 8 else { return nil }
    var value = Int64(head[4]) & (0x7F >> Int64(ones))
    var offset = 5
    for _ in 1..<max(ones, 1) {
      guard head[offset] & 0xC0 == 0x80 else { return nil }
      value = value << 6 | Int64(head[offset] & 0x3F)
      offset += 1
    }
    number = value
    let size = Int(head[2] >> 4)
    switch size {
    case 1: samples = 192
    case 2...5: samples = 576 << (size - 2)
    case 6: samples = Int(head.big(at: offset, 1)) + 1
    case 7: samples = Int(head.big(at: offset, 2)) + 1
    default: samples = 256 << (size - 8)
    }
    offset += size == 6 ? 1 : size == 7 ? 2 : 0
    switch Int(head[2] & 15) {
    case 0: sampleRate = nil
    case 12: sampleRate = Int(head.big(at: offset, 1)) * 1_000
    case 13: sampleRate = Int(head.big(at: offset, 2))
    case 14: sampleRate = Int(head.big(at: offset, 2)) * 10
    case let code: sampleRate = Self.sampleRates[code - 1]
    }
    offset += [12: 1, 13: 2, 14: 2][head[2] & 15] ?? 0
    channelCount = head[3] >> 4 < 8 ? Int(head[3] >> 4) + 1 : 2
    bits = [nil, 8, 12, nil, 16, 20, 24, 32][Int(head[3] >> 1 & 7)]
    guard offset < head.count, Self.headerChecksum(head[..<offset]) == head[offset] else {
      return nil
    }
  }

  private static let sampleRates = [
    88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
  ]

  private static func headerChecksum(_ bytes: ArraySlice<UInt8>) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }
  }

  /// The checksum of a whole block, 0 where it is right: it stands at the end.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in sum << 8 ^ table[Int(sum >> 8) ^ Int(byte)] }
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { sum, _ in
      sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1
    }
  }
}
