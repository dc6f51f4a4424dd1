// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Text of one reply, line by line.
struct Reply {
  /// Part of a reply that is made when the client has taken what is in front of it.
  struct Rest {
    fileprivate var next: Int
    fileprivate let count: Int
    fileprivate let body: (Int, inout Reply) throws(CommandError) -> Void
  }

  /// Bytes of a reply that are made at a time.
  static let piece = 1 << 17

  private(set) var bytes: [UInt8] = []
  /// What is still to be made; nil for nothing.
  var rest: Rest?

  /// Makes the last part of a reply, the lines of so many things.
  ///
  /// Where they are many it is made in pieces.
  mutating func each(
    _ count: Int, _ body: @escaping (Int, inout Reply) throws(CommandError) -> Void
  ) throws(CommandError) {
    try goOn(with: Rest(next: 0, count: count, body: body))
  }

  /// Makes the next piece of what is missing.
  mutating func goOn(with rest: Rest?) throws(CommandError) {
    guard var rest else { return }
    let end = bytes.count + Self.piece
    while rest.next < rest.count {
      guard bytes.count < end else {
        self.rest = rest
        return
      }
      try rest.body(rest.next, &self)
      rest.next += 1
    }
  }

  /// A line "name: value"; a line break in the value, which would be another line, is a blank.
  mutating func pair(_ name: String, _ value: String) {
    begin(name)
    let start = bytes.count
    bytes.append(contentsOf: value.utf8)
    end(start)
  }

  /// The same of bytes in UTF-8.
  mutating func pair(_ name: String, _ value: UnsafeBufferPointer<UInt8>) {
    begin(name)
    let start = bytes.count
    bytes.append(contentsOf: value)
    end(start)
  }

  mutating func pair(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: name)
    bytes.append(0x3A)
    bytes.append(0x20)
    let start = bytes.count
    bytes.append(contentsOf: value)
    end(start)
  }

  /// A line of a moment in seconds since 1970, as ISO 8601 in UTC.
  mutating func moment(_ name: String, _ seconds: Int64) {
    var (time, parts) = (time_t(seconds), tm())
    guard gmtime_r(&time, &parts) != nil else { return pair(name, Timestamp.text(0)) }
    begin(name)
    number(Int(parts.tm_year) + 1_900, width: 4)
    for (mark, value) in [
      ("-", parts.tm_mon + 1), ("-", parts.tm_mday), ("T", parts.tm_hour), (":", parts.tm_min),
      (":", parts.tm_sec),
    ] as [(Unicode.Scalar, Int32)] {
      bytes.append(UInt8(ascii: mark))
      number(Int(value), width: 2)
    }
    text("Z\n")
  }

  /// Lines of a song's length.
  mutating func length(milliseconds: Int64) {
    pair("Time", Int((milliseconds + 500) / 1_000))
    seconds("duration", milliseconds: milliseconds)
  }

  private mutating func begin(_ name: String) {
    bytes.append(contentsOf: name.utf8)
    bytes.append(0x3A)
    bytes.append(0x20)
  }

  private mutating func end(_ start: Int) {
    bytes.withUnsafeMutableBufferPointer { bytes in
      for i in start..<bytes.count where bytes[i] == 0x0A || bytes[i] == 0x0D { bytes[i] = 0x20 }
    }
    bytes.append(0x0A)
  }

  mutating func pair(_ name: String, _ value: Int) {
    begin(name)
    number(value)
    bytes.append(0x0A)
  }

  /// Digits, with zeros in front where there are fewer than `width`.
  private mutating func number(_ value: Int, width: Int = 1) {
    if value < 0 { bytes.append(0x2D) }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(0x30 + UInt8(rest % 10))
      rest /= 10
    } while rest > 0 || bytes.count - start < width
    bytes.withUnsafeMutableBufferPointer { $0[start...].reverse() }
  }

  /// A line of seconds with three places, of whole milliseconds, zero or more.
  mutating func seconds(_ name: String, milliseconds: Int64) {
    begin(name)
    number(Int(milliseconds / 1_000))
    bytes.append(0x2E)
    number(Int(milliseconds % 1_000), width: 3)
    bytes.append(0x0A)
  }

  mutating func pair(_ name: String, _ value: Bool) { pair(name, value ? 1 : 0) }

  /// A part of something, with a line in front that says how long the part is.
  mutating func binary(_ part: ArraySlice<UInt8>) {
    pair("binary", part.count)
    bytes.append(contentsOf: part)
    bytes.append(0x0A)
  }

  /// Text as it is: whole lines.
  mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Takes away what came behind a length: of a command that was refused nothing is told.
  mutating func cut(to count: Int) {
    bytes.removeSubrange(count...)
    rest = nil
  }
}
