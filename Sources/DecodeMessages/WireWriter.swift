// SPDX-License-Identifier: Apache-2.0

/// Bytes of a message, put together.
struct WireWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Behind their count.
  mutating func add(bytes more: [UInt8]) {
    add(UInt32(more.count))
    bytes += more
  }

  /// UTF-8, behind its length; what is beyond 4 kB is left out.
  mutating func add(_ text: String) {
    var text = text
    text.makeContiguousUTF8()
    var length = min(text.utf8.count, 4_096)
    // Not within a character.
    let all = Array(text.utf8)
    while length > 0, length < all.count, all[length] & 0xC0 == 0x80 { length -= 1 }
    add(UInt32(length))
    bytes += all[..<length]
  }
}
