// SPDX-License-Identifier: Apache-2.0

import Glibc
import SampleBuffers
import SoundFiles

/// A scan of a music folder into its index, on a queue of its own; one at a time.
final class LibraryScan {
  private let root: String
  private let database: StateDatabase
  private let pool = FramePool()
  private let extensions = FolderListing.extensions
  private var known: [String: (id: Int64, modified: Int64, size: Int64)] = [:]
  private var knownFolders: Set<String> = []
  private var knownLists: Set<String> = []
  private var visited: Set<[UInt64]> = []
  private var pending: [ScannedSong] = []
  private var reading: HeaderReading?
  private var texts: [String: Int64] = [:]
  private(set) var changes = 0

  /// Files that are written as one: of 512 each page of an index was written four times as often.
  private static let batch = 2_048

  /// Rows of tags that are put in at a time, at most; a statement for each number of them is kept.
  private static let most = 64

  init(path: String, root: String) throws(StoreError) {
    self.root = root
    database = try StateDatabase(path: path)
    // KiB, for the scan: with SQLite's 2 MB pages of the indexes went and came back.
    try database.run("PRAGMA cache_size = -16384")
    try LibraryTables.prepare(database, root: root)
  }

  /// Brings the index of a folder, or of one file, to what is on the disk; where it `isComplete`, all files are read
  /// again.
  ///
  /// - Returns: How many songs, folders and lists are others than before.
  func scan(_ uri: String, isComplete: Bool) throws(StoreError) -> Int {
    changes = 0
    visited = []
    let filter = FilterClause(.base(uri))
    known = [:]
    try database.each(
      "SELECT id, uri, modified, size FROM song WHERE \(filter.text)", filter.values
    ) { known[$0.text(1)] = ($0.integer(0), $0.integer(2), $0.integer(3)) }
    knownFolders = Set(try names("folder", "path", below: uri))
    knownLists = Set(try names("list", "uri", below: uri))
    if isComplete { known = known.mapValues { (id: $0.id, modified: -1, size: $0.size) } }

    var status = stat()
    let path = uri.isEmpty ? root : "\(root)/\(uri)"
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        try walk(uri, path, Int64(status.st_mtim.tv_sec))
      } else if extensions.contains(BytePath(uri).fileExtension ?? "") {
        try look(
          at: ScannedSong(
            uri: uri, folder: Self.folder(of: uri), modified: Int64(status.st_mtim.tv_sec),
            size: Int64(status.st_size)))
      }
    }
    while !pending.isEmpty || reading != nil { try write() }
    try removeWhatIsGone()
    // A scan that was ended in between has left it undone.
    let isListed = try LibraryTables.areListed(database)
    if changes > 0 || !isListed {
      try arrange()
      try LibraryTables.list(database)
    }
    return changes
  }

  static func folder(of uri: String) -> String {
    uri.lastIndex(of: "/").map { String(uri[..<$0]) } ?? ""
  }

  private func names(
    _ table: String, _ column: String, below uri: String
  ) throws(StoreError) -> [String] {
    let all = try database.rows("SELECT \(column) FROM \(table)") { $0.text(0) }
    return all.filter { SongFilter.isBelow(uri, $0) }
  }

  private func walk(_ uri: String, _ path: String, _ modified: Int64) throws(StoreError) {
    guard let contents = FolderContents(path: path, extensions: extensions) else { return }
    if !uri.isEmpty {
      if knownFolders.remove(uri) == nil { changes += 1 }
      try database.run(
        """
        INSERT INTO folder (path, modified) VALUES (?, ?)
        ON CONFLICT (path) DO UPDATE SET modified = excluded.modified WHERE modified != excluded.modified
        """, [.text(uri), .integer(modified)])
    }
    func place(_ name: String) -> String { uri.isEmpty ? name : "\(uri)/\(name)" }
    for song in contents.songs {
      try look(
        at: ScannedSong(
          uri: place(song.name), folder: uri, modified: song.modified, size: song.size))
    }
    for list in contents.lists {
      if knownLists.remove(place(list.name)) == nil { changes += 1 }
      try database.run(
        "INSERT OR REPLACE INTO list VALUES (?, ?, ?)",
        [.text(place(list.name)), .text(uri), .integer(list.modified)])
    }
    // A link back up would never end.
    for folder in contents.folders where visited.insert(folder.identity).inserted {
      try walk(place(folder.name), "\(path)/\(folder.name)", folder.modified)
    }
  }

  private func look(at song: ScannedSong) throws(StoreError) {
    if let old = known[song.uri], old.modified == song.modified, old.size == song.size {
      known[song.uri] = nil
      return
    }
    pending.append(song)
    if pending.count >= Self.batch { try write() }
  }

  /// Has the headers of what is pending be read, and writes those that were before it as one.
  private func write() throws(StoreError) {
    let before = reading
    reading = pending.isEmpty ? nil : HeaderReading(pending, root: root, pool: pool)
    pending = []
    guard let before else { return }
    let songs = before.result()
    try database.transaction { () throws(StoreError) in
      try LibraryTables.unlist(database)
      for (file, song) in zip(before.files, songs) {
        guard let song else { continue }
        let old = known.removeValue(forKey: file.uri)
        try put(song, file, old?.id)
      }
    }
  }

  private func put(_ song: Song, _ file: ScannedSong, _ old: Int64?) throws(StoreError) {
    changes += 1
    let values: [StoredValue] = [
      .text(file.uri), .text(file.folder), .integer(file.modified), .integer(file.size),
      .integer(song.nanoseconds), .text(song.format), .text(SongText.text(of: song.values)),
    ]
    let id: Int64
    if let old {
      id = old
      try database.run("DELETE FROM tag WHERE song = ?", [.integer(old)])
      try database.run(
        """
        UPDATE song SET uri = ?, folder = ?, modified = ?, size = ?, nanoseconds = ?, format = ?,
        tags = ? WHERE id = ?
        """, values + [.integer(old)])
    } else {
      try database.run(
        """
        INSERT INTO song (uri, folder, modified, size, nanoseconds, format, tags)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, values)
      id = database.lastRow
    }
    var rows: [StoredValue] = []
    for tag in SongTag.allCases {
      // What stands in for a tag is looked up as the tag.
      for text in song.values(of: tag) {
        rows += [.integer(tag.number), .integer(try self.id(of: text)), .integer(id)]
      }
    }
    // A statement for all of most songs: nine of them took twice as long.
    for start in stride(from: 0, to: rows.count, by: 3 * Self.most) {
      let part = Array(rows[start..<min(start + 3 * Self.most, rows.count)])
      let places = repeatElement("(?, ?, ?)", count: part.count / 3).joined(separator: ", ")
      try database.run("INSERT OR IGNORE INTO tag VALUES \(places)", part)
    }
  }

  private func id(of text: String) throws(StoreError) -> Int64 {
    if let known = texts[text] { return known }
    if texts.count > 100_000 { texts = [:] }
    var id = try database.rows("SELECT id FROM value WHERE text = ?", [.text(text)]) {
      $0.integer(0)
    }.first
    if id == nil {
      let folded = FoldedText.folded(text)
      try database.run(
        "INSERT INTO value (text, folded) VALUES (?, ?)", [.text(text), .text(folded)])
      id = database.lastRow
      try database.run(
        "INSERT INTO value_text (rowid, folded) VALUES (?, ?)",
        [.integer(database.lastRow), .text(folded)])
    }
    texts[text] = id
    return id ?? 0
  }

  private func removeWhatIsGone() throws(StoreError) {
    let gone = known.values.map { $0.id }
    changes += gone.count + knownFolders.count + knownLists.count
    guard changes > 0 else { return }
    try database.transaction { () throws(StoreError) in
      if !gone.isEmpty { try LibraryTables.unlist(database) }
      for id in gone {
        try database.run("DELETE FROM tag WHERE song = ?", [.integer(id)])
        try database.run("DELETE FROM song WHERE id = ?", [.integer(id)])
      }
      for path in knownFolders {
        try database.run("DELETE FROM folder WHERE path = ?", [.text(path)])
      }
      for uri in knownLists { try database.run("DELETE FROM list WHERE uri = ?", [.text(uri)]) }
      try removeTexts()
    }
  }

  /// Texts that no song has any more are in no answer; with many of them searches would be slow.
  private func removeTexts() throws(StoreError) {
    let unused = try database.rows(
      "SELECT id, folded FROM value WHERE id NOT IN (SELECT value FROM tag)"
    ) { ($0.integer(0), $0.text(1)) }
    for (id, folded) in unused {
      try database.run(
        "INSERT INTO value_text (value_text, rowid, folded) VALUES ('delete', ?, ?)",
        [.integer(id), .text(folded)])
      try database.run("DELETE FROM value WHERE id = ?", [.integer(id)])
    }
    if !unused.isEmpty { texts = [:] }
  }

  /// Numbers all songs in the order of the library: folder by folder, in each by album, disc, track and name.
  private func arrange() throws(StoreError) {
    let songs = try database.rows("SELECT id, uri, folder, tags, place FROM song") { row in
      LibraryPlace(
        id: row.integer(0), uri: row.text(1), folder: row.text(2),
        values: SongText.values(of: row.text(3)), place: row.integer(4))
    }.sorted(by: <)
    try database.transaction { () throws(StoreError) in
      for (place, song) in songs.enumerated() where song.place != Int64(place) {
        try database.run(
          "UPDATE song SET place = ? WHERE id = ?", [.integer(place), .integer(song.id)])
      }
    }
  }
}
