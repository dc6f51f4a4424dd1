// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
import SoundFiles

// Rows of bookmarks, in the turn.
extension BookmarkStore {
  /// Writes a bookmark, in a transaction.
  func write(
    _ bookmark: Bookmark, of item: PlaylistItem, in database: Database
  ) throws(BookmarkError) {
    let key = ItemKey(item)
    if let row = rows[item.id], key.file.map({ $0.path == row.path }) ?? true,
      try update(row, bookmark, of: key.file, in: database)
    {
      // A file that is gone may come back.
      return remember(KnownRow(id: row.id, path: row.path, file: key.file ?? row.file), of: item)
    }
    if let id = try knownRow(of: key, in: database) {
      let row = KnownRow(id: id, path: key.path, file: key.file)
      if try update(row, bookmark, of: key.file, in: database) { return remember(row, of: item) }
    }
    try vacate(key.path, clip: key.clip, in: database)
    try database.run(
      """
      INSERT INTO bookmark (path, clip, size, modified, content, position, timescale, duration,
      duration_timescale, rate, heard, finished, title)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [.blob(key.path.bytes), .text(key.clip)] + Self.values(of: key.file)
        + Self.values(of: bookmark))
    remember(KnownRow(id: database.lastRow, path: key.path, file: key.file), of: item)
  }

  private func remember(_ row: KnownRow, of item: PlaylistItem) {
    if rows.count >= 64 { rows = [:] }
    rows[item.id] = row
  }

  /// Tells whether the row is there, and says now what the bookmark does.
  ///
  /// A file that has grown or was touched while it plays is the same: the row says how it is now.
  private func update(
    _ row: KnownRow, _ bookmark: Bookmark, of file: FileIdentity?, in database: Database
  ) throws(BookmarkError) -> Bool {
    let isThere = try !database.rows(
      """
      UPDATE bookmark SET position = ?, timescale = ?, duration = ?, duration_timescale = ?,
      rate = ?, heard = ?, finished = ?, title = ? WHERE id = ? AND path = ? RETURNING id
      """, Self.values(of: bookmark) + [.integer(row.id), .blob(row.path.bytes)]
    ) { $0.integer(0) }.isEmpty
    if isThere, let file, file != row.file {
      try database.run(
        "UPDATE bookmark SET size = ?, modified = ?, content = ? WHERE id = ?",
        Self.values(of: file) + [.integer(row.id)])
    }
    return isThere
  }

  /// The row of a key; that of a file which was moved says from then on where it is.
  func knownRow(of key: ItemKey, in database: Database) throws(BookmarkError) -> Int64? {
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
      """
      SELECT id, path, modified, content FROM bookmark
      WHERE size = ? AND clip = ? AND content IS NOT NULL ORDER BY heard DESC
      """, [.integer(file.size), .text(key.clip)]
    ) { row in
      (
        row: row.integer(0), path: BytePath(bytes: row.blob(1)), modified: row.integer(2),
        content: row.blob(3)
      )
    }
    guard !candidates.isEmpty, let content = file.contentHash() else { return nil }
    for candidate in candidates where candidate.content == content {
      // A copy is another file while both are there.
      if candidate.path != file.path, let other = FileIdentity(candidate.path),
        other.size == file.size, other.modified == candidate.modified
      {
        continue
      }
      try database.atomically { () throws(BookmarkError) in
        if candidate.path != file.path { try vacate(file.path, clip: key.clip, in: database) }
        try database.run(
          "UPDATE bookmark SET path = ?, modified = ? WHERE id = ?",
          [.blob(file.path.bytes), .integer(file.modified), .integer(candidate.row)])
      }
      return candidate.row
    }
    return nil
  }

  /// Has no row be of a path at which another file is now: its own may have been moved, and is found by its hash then.
  ///
  /// The row's path is one that no file has, a zero byte and its number; a row without a hash goes.
  private func vacate(_ path: BytePath, clip: String, in database: Database) throws(BookmarkError) {
    let place: [Value] = [.blob(path.bytes), .text(clip)]
    try database.run(
      "DELETE FROM bookmark WHERE path = ? AND clip = ? AND content IS NULL", place)
    try database.run(
      """
      UPDATE bookmark SET path = CAST(x'00' || CAST(id AS TEXT) AS BLOB)
      WHERE path = ? AND clip = ?
      """, place)
  }

  private static func values(of file: FileIdentity?) -> [Value] {
    guard let file else { return [.null, .null, .null] }
    let content = file.contentHash().map { Value.blob($0) } ?? .null
    return [.integer(file.size), .integer(file.modified), content]
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

  static func bookmarks(
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
        position: row.time(2) ?? .zero, duration: row.time(4), rate: row.rate(6),
        heardAt: WallTime(milliseconds: row.integer(7)),
        isFinished: row.integer(8) != 0, title: row.text(9))
    }
  }
}
