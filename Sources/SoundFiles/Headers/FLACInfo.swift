// SPDX-License-Identifier: Apache-2.0

/// A STREAMINFO (RFC 9639 §8.2): what a FLAC stream says of all its samples.
struct FLACInfo {
  /// Its 34 bytes.
  private(set) var bytes: [UInt8]

  static let size = 34

  /// `nil` where `bytes` are too few.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Makes up what would have been said of a stream that begins with `block`; `nil` where that leaves it to a
  /// STREAMINFO.
  init?(of block: FLACBlock) {
    guard let rate = block.sampleRate, let bits = block.bits else { return nil }
    bytes = [UInt8](repeating: 0, count: Self.size)
    let field =
      UInt64(rate) << 44 | UInt64(block.channelCount - 1) << 41 | UInt64(bits - 1) << 36
    put(field, at: 10, 8)
  }

  var sampleRate: Int { Int(bytes.big(at: 10, 3) >> 4) }
  var channelCount: Int { Int(bytes[12] >> 1 & 7) + 1 }
  /// Of a sample.
  var bits: Int { Int(bytes.big(at: 12, 2) >> 4 & 31) + 1 }

  /// True where it has an MD5 sum of all samples.
  var hasChecksum: Bool { bytes[18...].contains { $0 != 0 } }

  /// Bytes that the longest block takes if it cannot be compressed.
  var largestBlock: Int { 65_535 * channelCount * ((bits + 7) / 8) }

  /// Frames of the stream; 0 where that is not told.
  var frameCount: Int64 {
    get { Int64(bytes.big(at: 13, 5) & 0xF_FFFF_FFFF) }
    set {
      let count = newValue < 1 << 36 ? UInt64(newValue) : 0
      put(bytes.big(at: 13, 5) & 0xF0_0000_0000 | count, at: 13, 5)
    }
  }

  /// True where blocks have different sizes, by what it says.
  var hasBlockSizes: Bool { bytes.big(at: 0, 2) != bytes.big(at: 2, 2) }

  /// Says how many frames each block has but the last; nil where they differ.
  ///
  /// Where they do not, blocks are numbered, and the library multiplies.
  mutating func setBlockSize(_ frames: Int?) {
    put(UInt64(min(frames ?? 16, 65_535)), at: 0, 2)
    put(UInt64(min(frames ?? 65_535, 65_535)), at: 2, 2)
  }

  private mutating func put(_ value: UInt64, at offset: Int, _ size: Int) {
    for i in 0..<size {
      bytes[offset + i] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - i)))
    }
  }
}
