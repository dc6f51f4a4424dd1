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
    try files(in: folder) + folders(in: folder).map { .folder($0.id) }
  }

  private func files(in folder: String) throws(StoreError) -> [LibraryEntry] {
    let songs: [LibraryEntry] = try database.rows(
      "SELECT id FROM song WHERE folder = ? ORDER BY place", [.text(folder)]
    ) { .song($0.integer(0)) }
    return try songs
      + database.rows("SELECT rowid FROM list WHERE folder = ? ORDER BY uri", [.text(folder)]) {
        .list($0.integer(0))
      }
  }

  private func folders(in folder: String) throws(StoreError) -> [(id: Int64, path: String)] {
    let (low, high) = folder.isEmpty ? ("", "\u{10FFFF}") : (folder + "/", folder + "0")
    return try database.rows(
      """
      SELECT id, path FROM folder WHERE path > ? AND path < ?
      AND instr(substr(path, length(?) + 1), '/') = 0 ORDER BY path
      """, [.text(low), .text(high), .text(folder.isEmpty ? "" : low)]
    ) { ($0.integer(0), $0.text(1)) }
  }

  /// Everything below a folder, each folder's songs in front of its folders.
  func tree(of folder: String) throws(StoreError) -> [LibraryEntry] {
    var entries = try files(in: folder)
    for inner in try folders(in: folder) {
      entries.append(.folder(inner.id))
      entries += try tree(of: inner.path)
    }
    return entries
  }

  /// Entries that are told of as one: each look at the database by itself takes and gives back a lock of its file.
  static let batch = 128

  /// Does `body` while the index stays as it is.
  func reading(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try database.run("BEGIN")
    // Nothing has been written: there is nothing to lose at the end.
    defer { try? database.run("COMMIT") }
    try body()
  }

  /// Tells of an entry, with all that there is to tell where it is `withInfo`; nothing of one that is gone.
  func tell(
    _ entry: LibraryEntry, withInfo: Bool, hidden: [[UInt8]], _ reply: inout Reply
  ) throws(StoreError) {
    switch entry {
    case .song(let id):
      if withInfo { return try tell(id, hidden: hidden, &reply) }
      try database.each("SELECT uri FROM song WHERE id = ?", [.integer(id)]) {
        reply.pair("file", $0.bytes(0))
      }
    case .folder(let id):
      try database.each("SELECT path, modified FROM folder WHERE id = ?", [.integer(id)]) { row in
        reply.pair("directory", row.bytes(0))
        if withInfo { reply.moment("Last-Modified", row.integer(1)) }
      }
    case .list(let id):
      try database.each("SELECT uri, modified FROM list WHERE rowid = ?", [.integer(id)]) { row in
        reply.pair("playlist", row.bytes(0))
        if withInfo { reply.moment("Last-Modified", row.integer(1)) }
      }
    }
  }

  /// Tells of the song of a number, without the tags of `hidden` names; nothing where it is gone.
  func tell(_ id: Int64, hidden: [[UInt8]], _ reply: inout Reply) throws(StoreError) {
    try database.each("SELECT \(Self.columns) FROM song WHERE id = ?", [.integer(id)]) {
      reply.song($0, hidden: hidden)
    }
  }

  // MARK: Queries

  /// The numbers of the songs of a filter, in the order of the library, or of a window of them.
  func numbers(_ filter: SongFilter, _ window: SongRange = .all) throws(StoreError) -> [Int64] {
    let clause = FilterClause(filter)
    if clause.isSlow, let found = try frontNumbers(filter, window) { return found }
    guard clause.isExact else {
      let found = try database.rows(
        "SELECT \(Self.columns), id FROM song WHERE \(clause.text) ORDER BY place", clause.values
      ) { filter.matches(Self.song($0)) ? $0.integer(5) : nil }.compactMap { $0 }
      return Array(found[window.clipped(to: found.count)])
    }
    // Without an end, -1.
    let count = window.end.map { max(0, $0 - window.start) } ?? -1
    return try database.rows(
      "SELECT id FROM song WHERE \(clause.text) ORDER BY place LIMIT ? OFFSET ?",
      clause.values + [.integer(count), .integer(window.start)]
    ) { $0.integer(0) }
  }

  /// The numbers of a window's songs, where so many of the library's first songs match that it lies among them: what
  /// finds a lot need not look at all there is.
  private func frontNumbers(
    _ filter: SongFilter, _ window: SongRange
  ) throws(StoreError) -> [Int64]? {
    guard let end = window.end else { return nil }
    var found: [Int64] = []
    var looked = 0
    // 256 songs take a millisecond. Further ones are looked at where as many more are likely to be enough.
    for count in [256, 768] {
      try database.each(
        "SELECT \(Self.columns), id FROM song ORDER BY place LIMIT ? OFFSET ?",
        [.integer(count), .integer(looked)]
      ) { if filter.matches(Self.song($0)) { found.append($0.integer(5)) } }
      if found.count >= end { return Array(found[window.clipped(to: end)]) }
      looked += count
      if found.count * 4 < end { return nil }
    }
    return nil
  }

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

  /// The rows that tell all of a filter and of tags: kinds, where they do.
  private func rows(
    _ filter: SongFilter, _ tags: [SongTag] = []
  ) throws(StoreError) -> LibraryRows {
    guard filter.isOfKinds, SongTag.ofSongs.isDisjoint(with: tags),
      try LibraryTables.areListed(database)
    else { return .song }
    return .kind
  }

  /// The different values of tags among the songs of a filter, sorted; a song without one of them has an empty value.
  func values(of tags: [SongTag], among filter: SongFilter) throws(StoreError) -> [[String]] {
    let rows = try rows(filter, tags)
    let clause = FilterClause(filter, of: rows)
    guard clause.isExact else { return Self.values(of: tags, in: try songs(filter)) }
    if tags.count == 1, filter == .everything, rows == .kind { return try allValues(of: tags[0]) }
    // The texts are looked up of what is different only: of 100,000 songs most have others' values.
    let values = tags.indices.map { "t\($0).value AS n\($0)" }.joined(separator: ", ")
    let texts = tags.indices.map {
      "LEFT JOIN value AS v\($0) ON v\($0).id = n\($0)"
    }.joined(separator: " ")
    let names = tags.indices.map { "coalesce(v\($0).text, '')" }.joined(separator: ", ")
    return try database.rows(
      """
      SELECT \(names) FROM
      (SELECT DISTINCT \(values) FROM \(Self.joins(rows, tags)) WHERE \(clause.text))
      \(texts) ORDER BY \(names)
      """, clause.values
    ) { row in tags.indices.map { row.text(Int32($0)) } }
  }

  /// Joins in which a song without a value has one that is null.
  private static func joins(_ rows: LibraryRows, _ tags: [SongTag]) -> String {
    let row = rows.rawValue
    return "\(row) "
      + tags.enumerated().map { index, tag in
        """
        LEFT JOIN \(rows.tags) AS t\(index)
        ON t\(index).\(row) = \(row).id AND t\(index).tag = \(tag.number)
        """
      }.joined(separator: " ")
  }

  /// True where a song has no value of one of the tags.
  private func areLacking(_ tags: [SongTag]) throws(StoreError) -> Bool {
    let numbers = tags.map { "\($0.number)" }.joined(separator: ", ")
    return try !database.rows(
      "SELECT 1 FROM listed WHERE tag IN (\(numbers)) AND value = 0 LIMIT 1"
    ) { $0.integer(0) }.isEmpty
  }

  private func allValues(of tag: SongTag) throws(StoreError) -> [[String]] {
    let values = try database.rows(
      """
      SELECT value.text FROM listed JOIN value ON value.id = listed.value WHERE listed.tag = ?
      ORDER BY value.text
      """, [.integer(tag.number)]
    ) { [$0.text(0)] }
    return (try areLacking([tag]) ? [[""]] : []) + values
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
    let rows = try rows(filter)
    let clause = FilterClause(filter, of: rows)
    guard clause.isExact else {
      let songs = try songs(filter)
      return (songs.count, songs.reduce(0) { $0 + ($1.nanoseconds ?? 0) })
    }
    return try database.rows(
      "SELECT \(rows.count), sum(nanoseconds) FROM \(rows.rawValue) WHERE \(clause.text)",
      clause.values
    ) { (Int($0.integer(0)), $0.integer(1)) }.first ?? (0, 0)
  }

  /// The same for each value of a tag.
  func counts(
    _ filter: SongFilter, by tag: SongTag
  ) throws(StoreError) -> [(value: String, songs: Int, nanoseconds: Int64)] {
    let rows = try rows(filter, [tag])
    let clause = FilterClause(filter, of: rows)
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
      SELECT coalesce(value.text, ''), \(rows.count), sum(nanoseconds) FROM \(Self.joins(rows, [tag]))
      LEFT JOIN value ON value.id = t0.value WHERE \(clause.text)
      GROUP BY 1 ORDER BY 1
      """, clause.values
    ) { ($0.text(0), Int($0.integer(1)), $0.integer(2)) }
  }

  func statistics() throws(StoreError) -> LibraryStatistics {
    let all = try count(.everything)
    return LibraryStatistics(
      artists: try valueCount(.artist), albums: try valueCount(.album), songs: all.songs,
      nanoseconds: all.nanoseconds)
  }

  /// How many different values a tag has.
  private func valueCount(_ tag: SongTag) throws(StoreError) -> Int {
    let text =
      try LibraryTables.areListed(database)
      ? "SELECT count(*) FROM listed WHERE tag = ? AND value > 0"
      : "SELECT count(DISTINCT value) FROM tag WHERE tag = ?"
    return try database.rows(text, [.integer(tag.number)]) { Int($0.integer(0)) }.first ?? 0
  }
}
