// SPDX-License-Identifier: Apache-2.0

/// Bytes of the journal: numbers of fixed lengths, low byte first, and texts behind their lengths.
struct JournalBytes {
  private(set) var bytes: [UInt8] = []

  mutating func number(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A number of the queue, which has fewer than two thousand million of anything.
  mutating func count(_ value: Int) { number(UInt32(clamping: value)) }

  mutating func text(_ text: String) {
    count(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func optional(_ value: Int64?) {
    number(UInt8(value == nil ? 0 : 1))
    if let value { number(value) }
  }

  mutating func real(_ value: Double) { number(value.bitPattern) }

  mutating func ids(_ ids: [UInt32]) {
    count(ids.count)
    for id in ids { number(id) }
  }

  mutating func append(_ other: JournalBytes) { bytes.append(contentsOf: other.bytes) }
}
