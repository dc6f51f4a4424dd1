// SPDX-License-Identifier: Apache-2.0

/// Words of one line of the protocol: the command's name and its arguments.
///
/// A word is without quotes, or in double quotes, where a backslash takes away the meaning of the character behind it.
/// Pure; a line is any bytes without a line break.
struct CommandWords: Hashable, Sendable {
  /// Arguments of a command, at most, as MPD's `COMMAND_ARGV_MAX`.
  static let mostArguments = 69

  let name: String
  let arguments: [String]

  /// The words of a line.
  ///
  /// - Throws: Why the line is none; what is no text in UTF-8 is refused.
  init(_ line: some Collection<UInt8>) throws(CommandError) {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw CommandError(.argument, "Malformed UTF-8")
    }
    try self.init(text: text)
  }

  init(text: String) throws(CommandError) {
    var rest = text.utf8[...]
    Self.skipBlanks(&rest)
    name = try Self.name(&rest)
    var arguments: [String] = []
    while !rest.isEmpty {
      guard arguments.count < Self.mostArguments else {
        throw CommandError(.argument, "Too many arguments")
      }
      arguments.append(try Self.word(&rest))
    }
    self.arguments = arguments
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte > 0 && byte <= 0x20 }

  private static func skipBlanks(_ rest: inout Substring.UTF8View) {
    rest = rest.drop(while: isBlank)
  }

  private static func name(_ rest: inout Substring.UTF8View) throws(CommandError) -> String {
    guard let first = rest.first else { throw CommandError(.unknown, "No command given") }
    guard isLetter(first) else { throw CommandError(.unknown, "Letter expected") }
    let name = rest.prefix { isLetter($0) || $0 == UInt8(ascii: "_") || isDigit($0) }
    rest = rest[name.endIndex...]
    guard rest.first.map(isBlank) ?? true else {
      throw CommandError(.unknown, "Invalid word character")
    }
    skipBlanks(&rest)
    return String(Substring(name))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func word(_ rest: inout Substring.UTF8View) throws(CommandError) -> String {
    guard rest.first == UInt8(ascii: "\"") else { return try unquoted(&rest) }
    rest = rest.dropFirst()
    var bytes: [UInt8] = []
    while true {
      guard var byte = rest.popFirst() else {
        throw CommandError(.unknown, "Missing closing '\"'")
      }
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst() else {
          throw CommandError(.unknown, "Missing closing '\"'")
        }
        byte = escaped
      }
      bytes.append(byte)
    }
    guard rest.first.map(isBlank) ?? true else {
      throw CommandError(.unknown, "Space expected after closing '\"'")
    }
    skipBlanks(&rest)
    // Of valid text no bytes but backslashes and quotes have been left out.
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unquoted(_ rest: inout Substring.UTF8View) throws(CommandError) -> String {
    func isPlain(_ byte: UInt8) -> Bool {
      byte > 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
    }
    let word = rest.prefix(while: isPlain)
    rest = rest[word.endIndex...]
    guard !word.isEmpty, rest.first.map(isBlank) ?? true else {
      throw CommandError(.unknown, "Invalid unquoted character")
    }
    skipBlanks(&rest)
    return String(Substring(word))
  }
}
