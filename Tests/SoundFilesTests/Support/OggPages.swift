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

  /// A chain of `count` links, each of them `link` with a serial number of its own, from `first` on.
  ///
  /// The checksum is linear: what a bit of the number changes of it is calculated once a page.
  static func chain(of link: [UInt8], count: Int, from first: UInt32 = 1) -> [UInt8] {
    var plain = link
    setSerial(in: &plain, to: 0)
    var pages: [(place: Int, sum: UInt32, bits: [UInt32])] = []
    var place = 0
    change(&plain) { page, _ in
      pages.append((place, checksum(page.withoutChecksum[...]), bitSums(length: page.count)))
      place += page.count
    }
    var chain: [UInt8] = []
    chain.reserveCapacity(plain.count * count)
    for serial in first..<first + UInt32(count) {
      for page in pages {
        let sum = (0..<32).reduce(page.sum) { serial >> $1 & 1 == 1 ? $0 ^ page.bits[$1] : $0 }
        for i in 0..<4 {
          plain[page.place + 14 + i] = UInt8(truncatingIfNeeded: serial >> UInt32(8 * i))
          plain[page.place + 22 + i] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * i))
        }
      }
      chain += plain
    }
    return chain
  }

  /// What each bit of a serial number adds to the checksum of a page.
  private static func bitSums(length: Int) -> [UInt32] {
    (0..<32).map { bit in
      var page = [UInt8](repeating: 0, count: length)
      page[14 + bit / 8] = 1 << UInt8(bit % 8)
      return checksum(page[(14 + bit / 8)...])
    }
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

extension [UInt8] {
  /// An Ogg page whose checksum is not there yet.
  fileprivate var withoutChecksum: [UInt8] {
    var page = self
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    return page
  }
}
