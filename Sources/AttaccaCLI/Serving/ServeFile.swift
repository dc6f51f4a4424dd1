// SPDX-License-Identifier: Apache-2.0

import AttaccaService

/// Settings of `attacca serve` in a file: lines of a name and a value, by MPD's names where it has them.
struct ServeFile: Hashable {
  /// A line that is none of a setting.
  struct Complaint: Error, CustomStringConvertible {
    let line: Int
    let text: String
    var description: String { "line \(line): \(text)" }
  }

  var musicFolder: String?
  var playlistFolder: String?
  var addresses: [SocketAddress] = []
  var passwords: [String: [String]] = [:]
  var unasked: [String]?
  var limits = DaemonSettings.Limits()
  var output: String?
  var device: String?

  init() {}

  /// The settings of a text.
  init(_ text: String) throws(Complaint) {
    // A file from Windows ends its lines with both, which are one character.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, line) in lines.enumerated() {
      let line = line.drop(while: \.isWhitespace)
      guard let first = line.first, first != "#" else { continue }
      let name = line.prefix { !$0.isWhitespace }
      do throws(Complaint) {
        try set(String(name), try Self.value(line.dropFirst(name.count)))
      } catch {
        throw Complaint(line: index + 1, text: error.text)
      }
    }
  }

  /// The value of a line: in quotes, with what is behind them left out, or up to the line's end.
  private static func value(_ text: Substring) throws(Complaint) -> String {
    var text = text.drop(while: \.isWhitespace)
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    guard text.first == "\"" else { return String(text) }
    var (value, isEscaped) = ("", false)
    for character in text.dropFirst() {
      if character == "\"", !isEscaped { return value }
      isEscaped = character == "\\" && !isEscaped
      if !isEscaped { value.append(character) }
    }
    throw Complaint(line: 0, text: "a quote that does not end")
  }

  private mutating func set(_ name: String, _ value: String) throws(Complaint) {
    guard !value.isEmpty else { throw Complaint(line: 0, text: "\(name) without a value") }
    switch name {
    case "music_directory": musicFolder = UserFolders.expanded(value)
    case "playlist_directory": playlistFolder = UserFolders.expanded(value)
    case "bind_to_address":
      guard let address = SocketAddress(UserFolders.expanded(value)) else {
        throw Complaint(line: 0, text: "'\(value)' is no address")
      }
      addresses.append(address)
    case "password":
      // As MPD's: what is behind the last "@" are permissions.
      let parts = value.split(separator: "@", omittingEmptySubsequences: false)
      let names = parts.count > 1 ? String(parts[parts.count - 1]) : "read,add,control,player,admin"
      let password = parts.count > 1 ? value.dropLast(names.count + 1) : value[...]
      guard !password.isEmpty else { throw Complaint(line: 0, text: "a password of no letters") }
      passwords[String(password)] = Self.names(names)
    case "default_permissions": unasked = Self.names(value)
    case "max_connections": limits.connections = try Self.number(name, value, 1...100_000)
    case "connection_timeout": limits.silence = try Self.number(name, value, 0...1_000_000)
    case "max_output_buffer_size":
      limits.outputBytes = 1_024 * (try Self.number(name, value, 1_024...1_048_576))
    case "output": output = value
    case "device": device = value
    default: throw Complaint(line: 0, text: "'\(name)' is no setting")
    }
  }

  private static func number(
    _ name: String, _ value: String, _ range: ClosedRange<Int>
  ) throws(Complaint) -> Int {
    guard let number = Int(value), range.contains(number) else {
      throw Complaint(
        line: 0,
        text:
          "\(name) of '\(value)'; \(range.lowerBound) to \(range.upperBound) are permitted"
      )
    }
    return number
  }

  private static func names(_ text: String) -> [String] {
    text.split { $0 == "," || $0.isWhitespace }.map(String.init)
  }
}
