// SPDX-License-Identifier: Apache-2.0

/// Values that clients attach to songs: ratings, bookmarks.
///
/// One thread at a time.
final class StickerStore {
  private let database: StateDatabase

  /// Stickers in a database, which may hold other tables.
  init(_ database: StateDatabase) throws(StoreError) {
    self.database = database
    try database.run(
      """
      CREATE TABLE IF NOT EXISTS sticker (type TEXT NOT NULL, uri TEXT NOT NULL, name TEXT NOT NULL,
      value TEXT NOT NULL, PRIMARY KEY (type, uri, name)) WITHOUT ROWID
      """)
  }

  /// Comparisons of values that `sticker find` knows.
  enum Comparison: String {
    case equals = "="
    case less = "<"
    case greater = ">"
  }

  func value(_ type: String, _ uri: String, _ name: String) throws(StoreError) -> String? {
    try database.rows(
      "SELECT value FROM sticker WHERE type = ? AND uri = ? AND name = ?",
      [.text(type), .text(uri), .text(name)]
    ) { $0.text(0) }.first
  }

  func set(_ type: String, _ uri: String, _ name: String, to value: String) throws(StoreError) {
    try database.run(
      "INSERT OR REPLACE INTO sticker VALUES (?, ?, ?, ?)",
      [.text(type), .text(uri), .text(name), .text(value)])
  }

  /// Takes away one sticker, or all of a song.
  ///
  /// - Returns: Whether there was one.
  func remove(_ type: String, _ uri: String, _ name: String?) throws(StoreError) -> Bool {
    try !database.rows(
      "DELETE FROM sticker WHERE type = ? AND uri = ? AND (?3 IS NULL OR name = ?3) RETURNING 1",
      [.text(type), .text(uri), .text(name)]
    ) { $0.integer(0) }.isEmpty
  }

  func all(_ type: String, _ uri: String) throws(StoreError) -> [(name: String, value: String)] {
    try database.rows(
      "SELECT name, value FROM sticker WHERE type = ? AND uri = ? ORDER BY name",
      [.text(type), .text(uri)]
    ) { ($0.text(0), $0.text(1)) }
  }

  /// Stickers of a name below a folder, whose values compare as asked.
  func find(
    _ type: String, below folder: String, _ name: String, _ test: (Comparison, String)?
  ) throws(StoreError) -> [(uri: String, value: String)] {
    let comparison = test.map { "AND value \($0.0.rawValue) ?" } ?? ""
    let rows = try database.rows(
      "SELECT uri, value FROM sticker WHERE type = ? AND name = ? \(comparison) ORDER BY uri",
      [.text(type), .text(name)] + (test.map { [.text($0.1)] } ?? [])
    ) { ($0.text(0), $0.text(1)) }
    return rows.filter { SongFilter.isBelow(folder, $0.0) }
  }
}
