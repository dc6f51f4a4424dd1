// SPDX-License-Identifier: Apache-2.0

public import Attacca
import Dispatch
import Glibc
import MediaTime
public import SoundFiles

/// Bookmarks, and the list that was played last, in a file that survives whatever ends the process.
///
/// A file is known by its path, size and time of change, and by a hash of its content where it was moved or renamed.
/// All members are thread-safe and block while the disk is read or written: not for a queue that must go on. Several
/// processes may have one store open. It is an SQLite database with a write-ahead log: what was written is there after
/// `kill -9`; a power loss may take the last seconds, and leaves what was there before.
public final class BookmarkStore: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `turn`.

  /// The layout of the tables, in `user_version`.
  private static let version: Int64 = 1
  private let turn = DispatchSemaphore(value: 1)
  private let database: Database
  /// The rows of the items that were written last.
  private var rows: [PlaylistItem.ID: Int64] = [:]
  /// The items that the table has, as they were when they were written; nil where it is not known.
  var savedItems: PlaylistItems?

  /// Opens the store in the file at `path`, or makes one, with its folders.
  ///
  /// - Throws: Where the file cannot be written, or is another's; the folder is made for the user alone.
  public init(path: BytePath) throws(BookmarkError) {
    Self.makeFolders(of: path)
    database = try Database(path: path)
    try database.run("PRAGMA journal_mode = WAL")
    // The log is written in order, so that a power loss leaves a whole beginning of it; only the log's return into the
    // database waits for the disk, once in about a thousand pages. A wait each second would wake it for nothing.
    try database.run("PRAGMA synchronous = NORMAL")
    try makeTables()
  }

  /// The file where programs of this user keep what they have to remember, `attacca/bookmarks.sqlite` in
  /// `XDG_STATE_HOME` or `.local/state` at home; nil where there is neither.
  public static var standardPath: BytePath? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    let folder = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
    return folder.map { BytePath("\($0)/attacca/bookmarks.sqlite") }
  }

  // MARK: Bookmarks

  /// The bookmark of an item; nil where there is none.
  ///
  /// A file that was moved is read for its hash, 192 KiB of it, where a bookmark of that size is there.
  public func bookmark(of item: PlaylistItem) throws(BookmarkError) -> Bookmark? {
    try withDatabase { database throws(BookmarkError) in
      guard let row = try knownRow(of: ItemKey(item), in: database) else { return nil }
      return try Self.bookmarks(in: database, where: "id = ?", [.integer(row)]).first
    }
  }

  /// All bookmarks, the one heard last in front.
  public func bookmarks() throws(BookmarkError) -> [Bookmark] {
    try withDatabase { database throws(BookmarkError) in
      try Self.bookmarks(in: database, where: "1 ORDER BY heard DESC, id DESC", [])
    }
  }

  /// The bookmark that was heard last of those of some items, and the item's index; nil where none has one.
  ///
  /// Items whose paths are known cost nothing; where none is, the first 10,000 are looked for as `bookmark(of:)` does,
  /// 20 µs each.
  public func newestBookmark(
    among items: PlaylistItems
  ) throws(BookmarkError) -> (index: Int, bookmark: Bookmark)? {
    var newest: (index: Int, bookmark: Bookmark)?
    let known = Set(try bookmarks().map(\.path))
    func look(where isCandidate: (PlaylistItem) -> Bool) throws(BookmarkError) {
      for (index, item) in items.enumerated() where isCandidate(item) {
        guard let bookmark = try bookmark(of: item) else { continue }
        if newest.map({ $0.bookmark.heardAt < bookmark.heardAt }) ?? true {
          newest = (index, bookmark)
        }
      }
    }
    try look { known.contains($0.bytePath) }
    if newest == nil, !known.isEmpty {
      var left = 10_000
      try look { _ in
        left -= 1
        return left >= 0
      }
    }
    return newest
  }

  /// Sets the bookmark of an item: its `path` and `start` are the item's, whatever they say.
  public func set(_ bookmark: Bookmark, of item: PlaylistItem) throws(BookmarkError) {
    try withDatabase { database throws(BookmarkError) in
      try database.transaction { () throws(BookmarkError) in
        try write(bookmark, of: item, in: database)
      }
    }
  }

  /// Takes the bookmarks of a file away, of all its clips.
  ///
  /// - Returns: How many there were.
  public func removeBookmarks(of path: BytePath) throws(BookmarkError) -> Int {
    try withDatabase { database throws(BookmarkError) in
      let resolved = FileIdentity(path)?.path ?? path
      let removed = try database.rows(
        "DELETE FROM bookmark WHERE path = ? OR path = ? RETURNING id",
        [.blob(path.bytes), .blob(resolved.bytes)]
      ) { $0.integer(0) }
      rows = [:]
      return removed.count
    }
  }

  /// Takes all bookmarks away.
  public func removeAllBookmarks() throws(BookmarkError) {
    try withDatabase { database throws(BookmarkError) in
      try database.run("DELETE FROM bookmark")
      rows = [:]
    }
  }

  // MARK: Within the turn

  /// Does `body` while no other thread uses the database.
  func withDatabase<R>(_ body: (Database) throws(BookmarkError) -> R) throws(BookmarkError) -> R {
    turn.wait()
    defer { turn.signal() }
    return try body(database)
  }

  /// Writes a bookmark, in the turn and a transaction.
  func write(
    _ bookmark: Bookmark, of item: PlaylistItem, in database: Database
  ) throws(BookmarkError) {
    if let row = rows[item.id], try update(row, bookmark, in: database) { return }
    let key = ItemKey(item)
    if let row = try knownRow(of: key, in: database), try update(row, bookmark, in: database) {
      return remember(row, of: item)
    }
    let file = key.file
    try database.run(
      """
      INSERT OR REPLACE INTO bookmark (path, clip, size, modified, content, position, timescale,
      duration, duration_timescale, rate, heard, finished, title)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .blob(key.path.bytes), .text(key.clip), file.map { .integer($0.size) } ?? .null,
        file.map { .integer($0.modified) } ?? .null,
        try file.map { file throws(BookmarkError) in .blob(try file.contentHash()) } ?? .null,
      ] + Self.values(of: bookmark))
    remember(database.lastRow, of: item)
  }

  private func remember(_ row: Int64, of item: PlaylistItem) {
    if rows.count >= 64 { rows = [:] }
    rows[item.id] = row
  }

  /// Whether the row is there, and says now what the bookmark does.
  private func update(
    _ row: Int64, _ bookmark: Bookmark, in database: Database
  ) throws(BookmarkError) -> Bool {
    try !database.rows(
      """
      UPDATE bookmark SET position = ?, timescale = ?, duration = ?, duration_timescale = ?,
      rate = ?, heard = ?, finished = ?, title = ? WHERE id = ? RETURNING id
      """, Self.values(of: bookmark) + [.integer(row)]
    ) { $0.integer(0) }.isEmpty
  }

  /// The row of a key; that of a file which was moved says from then on where it is.
  private func knownRow(of key: ItemKey, in database: Database) throws(BookmarkError) -> Int64? {
    guard let file = key.file else {
      return try database.rows(
        "SELECT id FROM bookmark WHERE path = ? AND clip = ? AND size IS NULL",
        [.blob(key.path.bytes), .text(key.clip)]
      ) { $0.integer(0) }.first
    }
    let there = try database.rows(
      "SELECT id FROM bookmark WHERE path = ? AND clip = ? AND size = ? AND modified = ?",
      [.blob(key.path.bytes), .text(key.clip), .integer(file.size), .integer(file.modified)]
    ) { $0.integer(0) }.first
    if let there { return there }
    // Only what is as long can be the same file elsewhere, or touched.
    let candidates = try database.rows(
      "SELECT id, path, content FROM bookmark WHERE size = ? AND clip = ? ORDER BY heard DESC",
      [.integer(file.size), .text(key.clip)]
    ) { (row: $0.integer(0), path: BytePath(bytes: $0.blob(1)), content: $0.blob(2)) }
    guard !candidates.isEmpty else { return nil }
    let content = try file.contentHash()
    for candidate in candidates where candidate.content == content {
      // A copy is another file while both are there.
      if candidate.path != file.path, FileIdentity(candidate.path) != nil { continue }
      try database.run(
        "UPDATE OR REPLACE bookmark SET path = ?, modified = ? WHERE id = ?",
        [.blob(file.path.bytes), .integer(file.modified), .integer(candidate.row)])
      return candidate.row
    }
    return nil
  }

  private static func values(of bookmark: Bookmark) -> [Value] {
    [
      .integer(bookmark.position.value), .integer(Int64(bookmark.position.timescale)),
      bookmark.duration.map { .integer($0.value) } ?? .null,
      bookmark.duration.map { .integer(Int64($0.timescale)) } ?? .null,
      .real(bookmark.rate), .integer(bookmark.heardAt.milliseconds),
      .integer(bookmark.isFinished ? 1 : 0), bookmark.title.map { .text($0) } ?? .null,
    ]
  }

  private static func bookmarks(
    in database: Database, where condition: String, _ values: [Value]
  ) throws(BookmarkError) -> [Bookmark] {
    try database.rows(
      """
      SELECT path, clip, position, timescale, duration, duration_timescale, rate, heard, finished,
      title FROM bookmark WHERE \(condition)
      """, values
    ) { row in
      Bookmark(
        path: BytePath(bytes: row.blob(0)), start: ItemKey.start(ofClip: row.text(1) ?? ""),
        position: row.time(2) ?? .zero, duration: row.time(4), rate: row.real(6),
        heardAt: WallTime(milliseconds: row.integer(7)),
        isFinished: row.integer(8) != 0, title: row.text(9))
    }
  }

  // MARK: Making

  /// Folders that cannot be made are told by the opening of the file, which is not there then.
  private static func makeFolders(of path: BytePath) {
    let bytes = path.bytes
    for (i, byte) in bytes.enumerated() where byte == UInt8(ascii: "/") && i > 0 {
      _ = BytePath(bytes: bytes[..<i]).withCString { mkdir($0, 0o700) }
    }
  }

  private func makeTables() throws(BookmarkError) {
    try database.transaction { () throws(BookmarkError) in
      let known = try database.rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0
      guard known <= Self.version else {
        throw BookmarkError(
          path: database.path.text, call: "PRAGMA user_version", code: Int32(clamping: known),
          cause: "was written by a newer version, with tables \(known); known are \(Self.version)")
      }
      guard known == 0 else { return }
      for table in Self.tables { try database.run(table) }
      try database.run("PRAGMA user_version = \(Self.version)")
    }
  }

  /// Times are a number and a timescale each; sizes are bytes, moments milliseconds or, of files, nanoseconds since 1970.
  private static let tables = [
    """
    CREATE TABLE bookmark (id INTEGER PRIMARY KEY, path BLOB NOT NULL, clip TEXT NOT NULL,
    size INTEGER, modified INTEGER, content BLOB, position INTEGER NOT NULL,
    timescale INTEGER NOT NULL, duration INTEGER, duration_timescale INTEGER, rate REAL NOT NULL,
    heard INTEGER NOT NULL, finished INTEGER NOT NULL, title TEXT, UNIQUE (path, clip))
    """,
    "CREATE INDEX bookmark_size ON bookmark (size)",
    "CREATE INDEX bookmark_heard ON bookmark (heard)",
    """
    CREATE TABLE entry (place INTEGER PRIMARY KEY, original INTEGER, path BLOB NOT NULL,
    start INTEGER NOT NULL, start_timescale INTEGER NOT NULL, stop INTEGER, stop_timescale INTEGER,
    gain REAL NOT NULL, tags TEXT)
    """,
    """
    CREATE TABLE queue (id INTEGER PRIMARY KEY CHECK (id = 0), current INTEGER,
    position INTEGER NOT NULL, timescale INTEGER NOT NULL, rate REAL NOT NULL,
    repeats TEXT NOT NULL, saved INTEGER NOT NULL)
    """,
  ]
}
