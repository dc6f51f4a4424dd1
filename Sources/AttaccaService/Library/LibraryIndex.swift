// SPDX-License-Identifier: Apache-2.0

/// Index of a music folder, asked by one thread; a scan writes it by a connection of its own.
final class LibraryIndex {
  private let database: StateDatabase

  /// Opens the index at `path` of the folder `root`.
  init(path: String, root: String) throws(StoreError) {
    database = try StateDatabase(path: path)
    try LibraryTables.prepare(database, root: root)
  }

  private static let columns = "song.uri, song.modified, song.nanoseconds, song.format, song.tags"

  private static func song(_ row: StoredRow) -> Song {
    Song(
      uri: row.text(0), values: SongText.values(of: row.text(4)),
      nanoseconds: row.optionalInteger(2), modified: row.integer(1), format: row.optionalText(3))
  }

  // MARK: Places

  func song(_ uri: String) throws(StoreError) -> Song? {
    try database.rows(
      "SELECT \(Self.columns) FROM song WHERE uri = ?", [.text(uri)], Self.song
    ).first
  }

  func hasFolder(_ path: String) throws(StoreError) -> Bool { try folder(path) != nil }

  /// The moment of a folder's last change; nil where there is none, 0 of the music folder itself.
  func folder(_ path: String) throws(StoreError) -> Int64? {
    if path.isEmpty { return 0 }
    return try database.rows("SELECT modified FROM folder WHERE path = ?", [.text(path)]) {
      $0.integer(0)
    }.first
  }

  /// What is in a folder itself: songs, then lists, then folders.
  func entries(of folder: String) throws(StoreError) -> [LibraryEntry] {
    var entries: [LibraryEntry] = try database.rows(
      "SELECT \(Self.columns) FROM song WHERE folder = ? ORDER BY place", [.text(folder)]
    ) { .song(Self.song($0)) }
    entries += try database.rows(
      "SELECT uri, modified FROM list WHERE folder = ? ORDER BY uri", [.text(folder)]
    ) { .list($0.text(0), modified: $0.integer(1)) }
    return try entries + folders(in: folder)
  }

  private func folders(in folder: String) throws(StoreError) -> [LibraryEntry] {
    let (low, high) = folder.isEmpty ? ("", "\u{10FFFF}") : (folder + "/", folder + "0")
    return try database.rows(
      """
      SELECT path, modified FROM folder WHERE path > ? AND path < ?
      AND instr(substr(path, length(?) + 1), '/') = 0 ORDER BY path
      """, [.text(low), .text(high), .text(folder.isEmpty ? "" : low)]
    ) { .folder($0.text(0), modified: $0.integer(1)) }
  }

  /// Everything below a folder, each folder's songs in front of its folders.
  func tree(of folder: String, _ body: (LibraryEntry) -> Void) throws(StoreError) {
    for entry in try entries(of: folder) {
      if case .folder = entry { continue }
      body(entry)
    }
    for entry in try folders(in: folder) {
      body(entry)
      if case .folder(let path, _) = entry { try tree(of: path, body) }
    }
  }

  // MARK: Queries

  /// The songs of a filter, in the order of the library, or those of a window of them.
  func songs(_ filter: SongFilter, _ window: SongRange = .all) throws(StoreError) -> [Song] {
    let clause = FilterClause(filter)
    let text = "SELECT \(Self.columns) FROM song WHERE \(clause.text) ORDER BY place"
    guard clause.isExact else {
      let found = try database.rows(text, clause.values, Self.song).filter { filter.matches($0) }
      return Array(found[window.clipped(to: found.count)])
    }
    // Without an end, -1.
    let count = window.end.map { max(0, $0 - window.start) } ?? -1
    return try database.rows(
      text + " LIMIT ? OFFSET ?",
      clause.values + [.integer(count), .integer(window.start)], Self.song)
  }

  /// The different values of tags among the songs of a filter, sorted; a song without one of them has an empty value.
  func values(of tags: [SongTag], among filter: SongFilter) throws(StoreError) -> [[String]] {
    let clause = FilterClause(filter)
    guard clause.isExact else { return Self.values(of: tags, in: try songs(filter)) }
    if tags.count == 1, filter == .everything { return try allValues(of: tags[0]) }
    // The texts are looked up of what is different only: of 100,000 songs most have others' values.
    let joins = tags.enumerated().map { index, tag in
      "LEFT JOIN tag AS t\(index) ON t\(index).song = song.id AND t\(index).tag = \(tag.number)"
    }.joined(separator: " ")
    let values = tags.indices.map { "t\($0).value AS n\($0)" }.joined(separator: ", ")
    let texts = tags.indices.map {
      "LEFT JOIN value AS v\($0) ON v\($0).id = n\($0)"
    }.joined(separator: " ")
    let names = tags.indices.map { "coalesce(v\($0).text, '')" }.joined(separator: ", ")
    return try database.rows(
      """
      SELECT \(names) FROM (SELECT DISTINCT \(values) FROM song \(joins) WHERE \(clause.text))
      \(texts) ORDER BY \(names)
      """, clause.values
    ) { row in tags.indices.map { row.text(Int32($0)) } }
  }

  private func allValues(of tag: SongTag) throws(StoreError) -> [[String]] {
    let lacking = try database.rows(
      """
      SELECT (SELECT count(*) FROM song) > (SELECT count(DISTINCT song) FROM tag WHERE tag = ?)
      """, [.integer(tag.number)]
    ) { $0.integer(0) }.first
    let values = try database.rows(
      """
      SELECT text FROM value WHERE id IN (SELECT DISTINCT value FROM tag WHERE tag = ?)
      ORDER BY text
      """, [.integer(tag.number)]
    ) { [$0.text(0)] }
    return (lacking == 1 ? [[""]] : []) + values
  }

  /// The same of songs in memory.
  static func values(of tags: [SongTag], in songs: [Song]) -> [[String]] {
    var found: Set<[String]> = []
    for song in songs {
      var rows: [[String]] = [[]]
      for tag in tags {
        let values = song.values(of: tag)
        rows = rows.flatMap { row in (values.isEmpty ? [""] : values).map { row + [$0] } }
      }
      found.formUnion(rows)
    }
    // By their bytes, as SQLite's texts are.
    return found.sorted { a, b in
      a.lexicographicallyPrecedes(b) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
  }

  /// Number and length of a filter's songs.
  func count(_ filter: SongFilter) throws(StoreError) -> (songs: Int, nanoseconds: Int64) {
    let clause = FilterClause(filter)
    guard clause.isExact else {
      let songs = try songs(filter)
      return (songs.count, songs.reduce(0) { $0 + ($1.nanoseconds ?? 0) })
    }
    return try database.rows(
      "SELECT count(*), sum(nanoseconds) FROM song WHERE \(clause.text)", clause.values
    ) { (Int($0.integer(0)), $0.integer(1)) }.first ?? (0, 0)
  }

  /// The same for each value of a tag.
  func counts(
    _ filter: SongFilter, by tag: SongTag
  ) throws(StoreError) -> [(value: String, songs: Int, nanoseconds: Int64)] {
    let clause = FilterClause(filter)
    guard clause.isExact else {
      var found: [String: (Int, Int64)] = [:]
      for song in try songs(filter) {
        let values = song.values(of: tag)
        for value in values.isEmpty ? [""] : values {
          let old = found[value] ?? (0, 0)
          found[value] = (old.0 + 1, old.1 + (song.nanoseconds ?? 0))
        }
      }
      return found.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
        ($0.key, $0.value.0, $0.value.1)
      }
    }
    return try database.rows(
      """
      SELECT coalesce(value.text, ''), count(*), sum(song.nanoseconds) FROM song
      LEFT JOIN tag ON tag.song = song.id AND tag.tag = \(tag.number)
      LEFT JOIN value ON value.id = tag.value WHERE \(clause.text)
      GROUP BY 1 ORDER BY 1
      """, clause.values
    ) { ($0.text(0), Int($0.integer(1)), $0.integer(2)) }
  }

  func statistics() throws(StoreError) -> LibraryStatistics {
    try database.rows(
      """
      SELECT count(*), sum(nanoseconds),
      (SELECT count(DISTINCT value) FROM tag WHERE tag = \(SongTag.artist.number)),
      (SELECT count(DISTINCT value) FROM tag WHERE tag = \(SongTag.album.number)) FROM song
      """
    ) { row in
      LibraryStatistics(
        artists: Int(row.integer(2)), albums: Int(row.integer(3)), songs: Int(row.integer(0)),
        nanoseconds: row.integer(1))
    }.first ?? LibraryStatistics()
  }
}
