// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The words of one line of a cue sheet.
struct CueLine {
  /// A fault of a line.
  struct Complaint: Error {
    let text: String
  }

  private let text: ListText
  private var bytes: Slice<UnsafeBufferPointer<UInt8>>

  init(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ text: ListText) {
    (self.bytes, self.text) = (bytes, text)
  }

  private static let quote = UInt8(ascii: "\"")

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The next word; nil at the end.
  mutating func word() -> String? {
    bytes = bytes.drop(while: Self.isBlank)
    guard !bytes.isEmpty else { return nil }
    let word = bytes.prefix { !Self.isBlank($0) }
    bytes = bytes[word.endIndex...]
    return text.text(word)
  }

  /// The rest as one value; within its outermost quotes if it begins with one: those in it are its own.
  mutating func rest() -> String {
    let value = bytes.drop(while: Self.isBlank)
    bytes = bytes[bytes.endIndex...]
    return text.text(Self.unquoted(value))
  }

  private static func unquoted(
    _ value: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Slice<UnsafeBufferPointer<UInt8>> {
    guard value.first == quote else { return value }
    let inner = value.dropFirst()
    return inner.lastIndex(of: quote).map { inner[..<$0] } ?? inner
  }

  /// A file's name, byte by byte, and the type behind it.
  mutating func name() -> (BytePath, String) {
    let value = bytes.drop(while: Self.isBlank)
    let name: Slice<UnsafeBufferPointer<UInt8>>
    if value.first == Self.quote, let end = value.dropFirst().lastIndex(of: Self.quote) {
      name = value.dropFirst()[..<end]
      bytes = value[(end + 1)...]
    } else {
      // Without quotes the type is the last word.
      let cut = value.lastIndex(where: Self.isBlank) ?? value.endIndex
      name = value[..<cut]
      bytes = value[cut...]
    }
    return (BytePath(bytes: name), word() ?? "WAVE")
  }

  /// A number of what `subject` says.
  mutating func number(_ subject: String) throws(Complaint) -> Int {
    let word = word() ?? ""
    guard let number = ListTime.number(word), number < 1_000_000 else {
      throw Complaint(text: "\(subject) '\(word)' is no number")
    }
    return Int(number)
  }

  /// "mm:ss:ff" in 75ths of a second; minutes are as many as it takes.
  mutating func time(_ subject: String) throws(Complaint) -> Int64 {
    let word = word() ?? ""
    let parts = word.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let minutes = ListTime.number(parts[0]), minutes < 10_000_000,
      let seconds = ListTime.number(parts[1]), seconds < 60, let frames = ListTime.number(parts[2]),
      frames < 75
    else {
      throw Complaint(text: "\(subject) at '\(word)', which is not mm:ss:ff, of 75 ff a second")
    }
    return (minutes * 60 + seconds) * 75 + frames
  }
}
