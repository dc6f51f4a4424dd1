// SPDX-License-Identifier: Apache-2.0

/// Tables of the index of a music folder.
enum LibraryTables {
  /// Number of the tables' shape: another one has the index made anew, which costs a scan and loses nothing.
  static let version: Int64 = 3

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
    // Songs of one kind (`LibraryRows.kind`), by the number of the first of them; the length is that of all.
    """
    CREATE TABLE kind (id INTEGER PRIMARY KEY, songs INTEGER NOT NULL, nanoseconds INTEGER NOT NULL)
    """,
    """
    CREATE TABLE kind_tag (tag INTEGER NOT NULL, value INTEGER NOT NULL, kind INTEGER NOT NULL,
    PRIMARY KEY (tag, value, kind)) WITHOUT ROWID
    """,
    "CREATE INDEX kind_tag_kind ON kind_tag (kind, tag, value)",
  ]

  private static let names = [
    "meta", "folder", "song", "list", "value_text", "value", "tag", "listed", "kind", "kind_tag",
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

  /// Forgets what `list` writes down, within the transaction that changes songs.
  static func unlist(_ database: StateDatabase) throws(StoreError) {
    for name in ["listed", "kind", "kind_tag"] { try database.run("DELETE FROM \(name)") }
  }

  /// Tells whether what `list` writes down is that of the songs: not while they change, nor where there are none.
  static func areListed(_ database: StateDatabase) throws(StoreError) -> Bool {
    try !database.rows("SELECT 1 FROM kind LIMIT 1") { $0.integer(0) }.isEmpty
  }

  /// Writes down which values each tag has, and of which kinds songs are.
  static func list(_ database: StateDatabase) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try unlist(database)
      try database.run("INSERT INTO listed SELECT DISTINCT tag, value FROM tag")
      let all = try database.rows("SELECT count(*) FROM song") { $0.integer(0) }.first
      for tag in SongTag.allCases {
        let having = try database.rows(
          "SELECT count(DISTINCT song) FROM tag WHERE tag = ?", [.integer(tag.number)]
        ) { $0.integer(0) }.first
        guard having != all else { continue }
        try database.run("INSERT INTO listed VALUES (?, 0)", [.integer(tag.number)])
      }
      let own = SongTag.ofSongs.map { "\($0.number)" }.sorted().joined(separator: ", ")
      // Each song's values in one order, that of their index; in another one a kind would be there twice, which is
      // slower and no less right.
      try database.run(
        """
        INSERT INTO kind SELECT min(id), count(*), coalesce(sum(nanoseconds), 0) FROM
        (SELECT song.id, song.nanoseconds, (SELECT group_concat(tag || ':' || value) FROM tag
        WHERE tag.song = song.id AND tag.tag NOT IN (\(own))) AS values_in_common FROM song)
        GROUP BY values_in_common
        """)
      try database.run(
        """
        INSERT INTO kind_tag SELECT tag.tag, tag.value, kind.id FROM kind
        JOIN tag ON tag.song = kind.id WHERE tag.tag NOT IN (\(own))
        """)
    }
  }
}
