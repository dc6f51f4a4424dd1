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
    // By what Unicode calls scalars: a quote with an accent behind it is a quote, and "\r\n" ends a line as "\n" does.
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let line = line.drop(while: \.properties.isWhitespace)
      guard let first = line.first, first != "#" else { continue }
      let name = line.prefix { !$0.properties.isWhitespace }
      do throws(Complaint) {
        try set(String(name), try Self.value(line[name.endIndex...]))
      } catch {
        throw Complaint(line: index + 1, text: error.text)
      }
    }
  }

  /// The value of a line: in quotes, with what is behind them left out, or up to the line's end.
  private static func value(_ text: Substring.UnicodeScalarView) throws(Complaint) -> String {
    var text = text.drop(while: \.properties.isWhitespace)
    while let last = text.last, last.properties.isWhitespace { text = text.dropLast() }
    guard text.first == "\"" else { return String(text) }
    var (value, isEscaped) = ("".unicodeScalars, false)
    for scalar in text.dropFirst() {
      if scalar == "\"", !isEscaped { return String(value) }
      isEscaped = scalar == "\\" && !isEscaped
      if !isEscaped { value.append(scalar) }
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
      let scalars = value.unicodeScalars
      let end = scalars.lastIndex(of: "@")
      let password = String(scalars[..<(end ?? scalars.endIndex)])
      guard !password.isEmpty else { throw Complaint(line: 0, text: "a password of no letters") }
      passwords[password] =
        end.map { Self.names(String(scalars[scalars.index(after: $0)...])) }
        ?? ["read", "add", "control", "player", "admin"]
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
    text.unicodeScalars.split { $0 == "," || $0.properties.isWhitespace }.map { String($0) }
  }
}
