// SPDX-License-Identifier: Apache-2.0

/// Permissions of a client, by MPD's names.
struct Permissions: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let read = Permissions(rawValue: 1)
  static let add = Permissions(rawValue: 2)
  static let control = Permissions(rawValue: 4)
  static let admin = Permissions(rawValue: 8)
  static let player = Permissions(rawValue: 16)

  static let all: Permissions = [.read, .add, .control, .admin, .player]

  static let names: [(String, Permissions)] = [
    ("read", .read), ("add", .add), ("control", .control), ("admin", .admin), ("player", .player),
  ]

  /// The permissions of a list of names with commas between them; nil where one is none.
  ///
  /// Who may control may play, as with MPD before the two were told apart.
  init?(names text: some StringProtocol) {
    self = []
    for name in text.split(separator: ",") {
      let name = name.drop(while: \.isWhitespace)
      guard let known = Self.names.first(where: { $0.0 == name }) else { return nil }
      insert(known.1)
    }
    if contains(.control) { insert(.player) }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }
}
