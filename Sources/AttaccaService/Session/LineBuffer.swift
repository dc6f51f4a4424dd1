// SPDX-License-Identifier: Apache-2.0

/// Bytes that have come from a client and are no whole line yet.
struct LineBuffer: Sendable {
  /// Bytes of a line, at most.
  static let longest = 65_536

  private var bytes: [UInt8] = []
  private var begin = 0
  /// Bytes that have been looked at for a line break.
  private var searched = 0

  /// Takes what has come.
  mutating func append(_ new: UnsafeRawBufferPointer) {
    if begin > 0 {
      bytes.removeSubrange(..<begin)
      (searched, begin) = (searched - begin, 0)
    }
    bytes.append(contentsOf: new)
  }

  /// The next whole line without its line break; nil for none.
  mutating func next() -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
      searched = bytes.count
      return nil
    }
    defer { (begin, searched) = (end + 1, end + 1) }
    return Array(bytes[begin..<end])
  }

  /// True where what has come is too long for a line.
  var isTooLong: Bool { bytes.count - begin > Self.longest }
}
