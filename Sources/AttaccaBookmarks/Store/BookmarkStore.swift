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
  private static let version: Int64 = 3
  private let turn = DispatchSemaphore(value: 1)
  private let database: Database
  /// The rows of the items that were written last.
  var rows: [PlaylistItem.ID: KnownRow] = [:]
  /// The items that the table has, as they were when they were written; nil where it is not known.
  var savedItems: PlaylistItems?
  /// The number of the list that this object wrote last: where the table has another, another process wrote it.
  var savedNumber: Int64?

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
      // Without the rows whose files are at no path that is known.
      try Self.bookmarks(
        in: database, where: "path = x'' OR path >= x'01' ORDER BY heard DESC, id DESC", [])
    }
  }

  /// The bookmark that was heard last of those of some items, and the item's index; nil where none has one.
  ///
  /// Items whose paths are known, relative ones and links included, cost one reading of each folder; where none is, the
  /// first 10,000 are looked for as `bookmark(of:)` does, 20 µs each.
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
    guard !known.isEmpty else { return nil }
    var paths = RealPaths()
    try look { item in
      known.contains(item.bytePath) || item.isFile && known.contains(paths.path(of: item.bytePath))
    }
    if newest == nil {
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
      guard known < Self.version else { return }
      if known == 0 {
        for table in Self.tables { try database.run(table) }
      }
      if known < 2 {
        for column in Self.columnsOfGaps { try database.run(column) }
      }
      try database.run(Self.tableOfBooks)
      try database.run("PRAGMA user_version = \(Self.version)")
    }
  }

  /// Columns that layout 2 has and 1 has not.
  private static let columnsOfGaps = [
    "ALTER TABLE entry ADD COLUMN gap INTEGER",
    "ALTER TABLE entry ADD COLUMN gap_timescale INTEGER",
  ]

  /// Table that layout 3 has and 2 has not.
  private static let tableOfBooks = """
    CREATE TABLE book (path BLOB PRIMARY KEY, rate REAL, intro INTEGER NOT NULL,
    intro_timescale INTEGER NOT NULL, outro INTEGER NOT NULL, outro_timescale INTEGER NOT NULL)
    """

  /// Times are a number and a timescale each; sizes are bytes, moments milliseconds or, of files, nanoseconds since 1970.
  private static let tables = [
    """
    CREATE TABLE bookmark (id INTEGER PRIMARY KEY AUTOINCREMENT, path BLOB NOT NULL, clip TEXT NOT NULL,
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
    repeats TEXT NOT NULL, saved INTEGER NOT NULL, number INTEGER NOT NULL)
    """,
  ]
}
