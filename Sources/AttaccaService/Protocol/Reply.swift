// SPDX-License-Identifier: Apache-2.0

/// Text of one reply, line by line.
struct Reply: Sendable {
  private(set) var bytes: [UInt8] = []

  /// A line "name: value"; a line break in the value, which would be another line, is a blank.
  mutating func pair(_ name: String, _ value: String) {
    bytes.append(contentsOf: name.utf8)
    bytes.append(contentsOf: ": ".utf8)
    let start = bytes.count
    bytes.append(contentsOf: value.utf8)
    for i in start..<bytes.count where bytes[i] == 0x0A || bytes[i] == 0x0D { bytes[i] = 0x20 }
    bytes.append(0x0A)
  }

  mutating func pair(_ name: String, _ value: Int) { pair(name, "\(value)") }

  mutating func pair(_ name: String, _ value: Bool) { pair(name, value ? "1" : "0") }

  /// A part of something, with a line in front that says how long the part is.
  mutating func binary(_ part: ArraySlice<UInt8>) {
    pair("binary", part.count)
    bytes.append(contentsOf: part)
    bytes.append(0x0A)
  }

  /// Text as it is: whole lines.
  mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ other: Reply) { bytes.append(contentsOf: other.bytes) }

  /// Takes away what came behind a length: of a command that was refused nothing is told.
  mutating func cut(to count: Int) { bytes.removeSubrange(count...) }
}
