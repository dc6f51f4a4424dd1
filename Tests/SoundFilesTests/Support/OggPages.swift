// SPDX-License-Identifier: Apache-2.0

/// Changes to Ogg files that keep their checksums right.
enum OggPages {
  /// Adds to the time of every page of audio, which are all but the first two.
  static func shiftGranules(in bytes: inout [UInt8], by shift: UInt64) {
    change(&bytes) { page, number in
      guard number >= 2 else { return }
      let old = (0..<8).reduce(UInt64(0)) { $0 | UInt64(page[6 + $1]) << (8 * $1) }
      store(old + shift, size: 8, at: 6, in: &page)
    }
  }

  /// Gives the stream another serial number, which no two links of a chain may share.
  static func setSerial(in bytes: inout [UInt8], to serial: UInt64) {
    change(&bytes) { page, _ in store(serial, size: 4, at: 14, in: &page) }
  }

  private static func change(_ bytes: inout [UInt8], _ body: (inout [UInt8], Int) -> Void) {
    var offset = 0
    var number = 0
    while offset < bytes.count {
      let segments = Int(bytes[offset + 26])
      let length = bytes[offset + 27..<offset + 27 + segments].reduce(0) { $0 + Int($1) }
      let end = offset + 27 + segments + length
      var page = Array(bytes[offset..<end])
      body(&page, number)
      store(0, size: 4, at: 22, in: &page)
      store(UInt64(checksum(page[...])), size: 4, at: 22, in: &page)
      bytes.replaceSubrange(offset..<end, with: page)
      offset = end
      number += 1
    }
  }

  private static func store(_ value: UInt64, size: Int, at offset: Int, in bytes: inout [UInt8]) {
    for i in 0..<size { bytes[offset + i] = UInt8(truncatingIfNeeded: value >> (8 * i)) }
  }

  /// RFC 3533 §6: polynomial 0x04C11DB7, nothing inverted.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { value, _ in
        value & 0x8000_0000 != 0 ? value << 1 ^ 0x04C1_1DB7 : value << 1
      }
    }
  }
}
