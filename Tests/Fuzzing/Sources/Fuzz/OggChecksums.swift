// SPDX-License-Identifier: Apache-2.0

/// The checksums of Ogg pages, RFC 3533 §6: polynomial 0x04C11DB7, nothing inverted.
enum OggChecksums {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte) << 24) { value, _ in
      value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
    }
  }

  /// Corrects those of all pages that are whole.
  static func correct(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    var offset = 0
    while offset + 27 <= bytes.count {
      guard bytes[offset..<offset + 4].elementsEqual("OggS".utf8) else {
        offset += 1
        continue
      }
      let body = offset + 27 + Int(bytes[offset + 26])
      guard body <= bytes.count else { return }
      let end = bytes[offset + 27..<body].reduce(body) { $0 + Int($1) }
      guard end <= bytes.count else { return }
      for i in 0..<4 { bytes[offset + 22 + i] = 0 }
      let sum = bytes[offset..<end].reduce(UInt32(0)) { sum, byte in
        sum << 8 ^ table[Int(sum >> 24) ^ Int(byte)]
      }
      for i in 0..<4 { bytes[offset + 22 + i] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(i))) }
      offset = end
    }
  }
}
