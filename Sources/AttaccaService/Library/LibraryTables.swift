// SPDX-License-Identifier: Apache-2.0

/// Tables of the index of a music folder.
enum LibraryTables {
  /// Number of the tables' shape: another one has the index made anew, which costs a scan and loses nothing.
  static let version: Int64 = 2

  static let all = [
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value)",
    "CREATE TABLE folder (id INTEGER PRIMARY KEY, path TEXT UNIQUE NOT NULL, modified INTEGER NOT NULL)",
    """
    CREATE TABLE song (id INTEGER PRIMARY KEY, uri TEXT UNIQUE NOT NULL, folder TEXT NOT NULL,
    place INTEGER NOT NULL DEFAULT 0, modified INTEGER NOT NULL, size INTEGER NOT NULL,
    nanoseconds INTEGER, format TEXT, tags TEXT NOT NULL)
    """,
    "CREATE INDEX song_folder ON song (folder, place)",
    "CREATE INDEX song_place ON song (place)",
    "CREATE TABLE list (uri TEXT PRIMARY KEY, folder TEXT NOT NULL, modified INTEGER NOT NULL)",
    "CREATE INDEX list_folder ON list (folder)",
    // Each text is there once, whatever songs have it: what is searched is a seventh of what there is.
    "CREATE TABLE value (id INTEGER PRIMARY KEY, text TEXT UNIQUE NOT NULL, folded TEXT NOT NULL)",
    "CREATE INDEX value_folded ON value (folded)",
    """
    CREATE VIRTUAL TABLE value_text USING fts5 (folded, content='value', content_rowid='id',
    tokenize='trigram case_sensitive 1', detail='full')
    """,
    """
    CREATE TABLE tag (tag INTEGER NOT NULL, value INTEGER NOT NULL, song INTEGER NOT NULL,
    PRIMARY KEY (tag, value, song)) WITHOUT ROWID
    """,
    "CREATE INDEX tag_song ON tag (song, tag, value)",
    // The different values of each tag, and 0 where a song has none: what `list` tells.
    """
    CREATE TABLE listed (tag INTEGER NOT NULL, value INTEGER NOT NULL,
    PRIMARY KEY (tag, value)) WITHOUT ROWID
    """,
  ]

  private static let names = [
    "meta", "folder", "song", "list", "value_text", "value", "tag", "listed",
  ]

  /// Has the tables be there; those of another shape, or of another folder, are made anew.
  static func prepare(_ database: StateDatabase, root: String) throws(StoreError) {
    try database.run("PRAGMA journal_mode = WAL")
    // A power cut may lose the last moments of a scan, which the next one finds.
    try database.run("PRAGMA synchronous = NORMAL")
    let isThere = try !database.rows(
      "SELECT 1 FROM sqlite_master WHERE name = 'meta'", [], { $0.integer(0) }
    ).isEmpty
    if isThere {
      let known = try database.rows("SELECT value FROM meta ORDER BY name") { $0.text(0) }
      if known == [root, "\(version)"] { return }
    }
    try database.transaction { () throws(StoreError) in
      for name in names { try database.run("DROP TABLE IF EXISTS \(name)") }
      for table in all { try database.run(table) }
      try database.run(
        "INSERT INTO meta VALUES ('root', ?), ('version', ?)",
        [
          .text(root), .text("\(version)"),
        ])
    }
  }
}
