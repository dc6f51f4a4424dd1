// SPDX-License-Identifier: Apache-2.0

public import Attacca
import Glibc
import MediaTime
public import SoundFiles

// The way in which books are listened to, by the paths of their folders, lists or files.
extension BookmarkStore {
  /// The settings of the book at a path; nil where none are remembered.
  ///
  /// Links are followed; an address is a path like any other.
  public func settings(ofBookAt path: BytePath) throws(BookmarkError) -> BookSettings? {
    try withDatabase { database throws(BookmarkError) in
      try Self.settings(of: Self.real(path), in: database)
    }
  }

  /// The settings of the book that an item is part of: its file's, or those of the nearest folder around it; nil where
  /// none are remembered.
  public func settings(ofBookAround item: PlaylistItem) throws(BookmarkError) -> BookSettings? {
    guard item.isFile else { return try settings(ofBookAt: item.bytePath) }
    return try withDatabase { database throws(BookmarkError) in
      var path = Self.real(item.bytePath)
      while true {
        if let found = try Self.settings(of: path, in: database) { return found }
        // Without the slash at its end; the root has no book.
        let folder = BytePath(bytes: path.folder.bytes.dropLast())
        guard !folder.bytes.isEmpty else { return nil }
        path = folder
      }
    }
  }

  /// Remembers the settings of the book at a path, in place of those that are; nil forgets them.
  public func set(
    _ settings: BookSettings?, ofBookAt path: BytePath
  ) throws(BookmarkError) {
    try withDatabase { database throws(BookmarkError) in
      let key = Value.blob(Self.real(path).bytes)
      guard let settings else { return try database.run("DELETE FROM book WHERE path = ?", [key]) }
      try database.run(
        "INSERT OR REPLACE INTO book VALUES (?, ?, ?, ?, ?, ?)",
        [
          key, settings.rate.map { .real($0) } ?? .null,
          .integer(settings.intro.value), .integer(Int64(settings.intro.timescale)),
          .integer(settings.outro.value), .integer(Int64(settings.outro.timescale)),
        ])
    }
  }

  private static func settings(
    of path: BytePath, in database: Database
  ) throws(BookmarkError) -> BookSettings? {
    try database.rows(
      "SELECT rate, intro, intro_timescale, outro, outro_timescale FROM book WHERE path = ?",
      [.blob(path.bytes)]
    ) { row in
      // A damaged row ends nothing.
      let rate = row.isNull(0) ? nil : row.real(0)
      return BookSettings(
        rate: rate.flatMap { $0.isFinite && $0 > 0 ? $0 : nil },
        intro: max(row.time(1) ?? .zero, .zero), outro: max(row.time(3) ?? .zero, .zero))
    }.first
  }

  /// The path from the root on, without links; as it is where nothing is there.
  private static func real(_ path: BytePath) -> BytePath {
    guard let resolved = path.withCString({ realpath($0, nil) }) else { return path }
    defer { free(resolved) }
    return BytePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }
}
