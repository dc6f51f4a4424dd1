// SPDX-License-Identifier: Apache-2.0

public import Attacca
import Glibc
import MediaTime
public import SoundFiles

// The list that was played last.
extension BookmarkStore {
  /// The list that was saved last; nil where none was.
  ///
  /// Volume automations, the caller's `metadata` and sources are not saved: an item of something else than a file comes
  /// back with the source that `source` makes of its name, and without one as a file of that name.
  ///
  /// - Parameter source: The source of a name that no file has, such as an address; nil for a file's path.
  /// - Returns: The list in both orders, and where it was.
  /// - Throws: Where the store cannot be read.
  public func savedQueue(
    source: (BytePath) -> (any AudioSource)? = { _ in nil }
  ) throws(BookmarkError) -> SavedQueue? {
    try withDatabase { database throws(BookmarkError) in
      // As a whole: another process may save its own between two readings.
      try database.transaction { () throws(BookmarkError) in
        try readQueue(in: database, source)
      }
    }
  }

  private func readQueue(
    in database: Database, _ source: (BytePath) -> (any AudioSource)?
  ) throws(BookmarkError) -> SavedQueue? {
    let states = try database.rows(
      "SELECT current, position, timescale, rate, repeats, saved FROM queue"
    ) { row in
      SavedQueue(
        items: PlaylistItems([]), original: nil,
        currentIndex: row.isNull(0) ? nil : Int(row.integer(0)),
        position: row.time(1) ?? .zero, rate: row.rate(3),
        repeatMode: RepeatMode(saved: row.text(4) ?? ""),
        savedAt: WallTime(milliseconds: row.integer(5)))
    }
    guard var queue = states.first else { return nil }
    let entries = try database.rows(
      """
      SELECT path, start, start_timescale, stop, stop_timescale, gain, tags, original, gap,
      gap_timescale FROM entry
      ORDER BY place
      """
    ) { row in
      (item: Self.item(row, source), original: row.isNull(7) ? nil : Int(row.integer(7)))
    }
    queue.items = PlaylistItems(entries.map(\.item))
    if entries.contains(where: { $0.original != nil }) {
      queue.original = PlaylistItems(
        entries.sorted { $0.original ?? .max < $1.original ?? .max }.map(\.item))
    }
    if let index = queue.currentIndex, !entries.indices.contains(index) {
      queue.currentIndex = nil
    }
    return queue
  }

  /// Saves a list, and where it is.
  ///
  /// The path of a file is saved from the root on.
  public func save(_ queue: SavedQueue) throws(BookmarkError) {
    try writeList { _ in queue }
  }

  /// Saves a list, and leaves where it is, at the same item: `last` where that is known and there, or one of the path and
  /// the beginning that the stored one has; nowhere where there is none.
  func saveList(_ list: SavedQueue, last: PlaylistItem?) throws(BookmarkError) {
    try writeList { database throws(BookmarkError) in
      var list = list
      guard let place = try storedPlace(in: database) else { return list }
      (list.position, list.savedAt) = (place.position, place.savedAt)
      list.currentIndex = last.flatMap { list.items.index(of: $0.id) }
      if list.currentIndex == nil {
        let isThere = { (item: PlaylistItem) in
          item.start == place.start && item.savedPath == place.path
        }
        list.currentIndex =
          list.items.indices.contains(place.index) && isThere(list.items[place.index])
          ? place.index : list.items.firstIndex(where: isThere)
      }
      if list.currentIndex == nil { list.position = .zero }
      return list
    }
  }

  /// Saves where a list is that has been saved, and the bookmark of its current item, as one.
  ///
  /// Where another process has saved its own meanwhile, the whole list is saved again.
  func save(
    place: SavedQueue, _ bookmark: Bookmark?, of item: PlaylistItem?
  ) throws(BookmarkError) {
    try withDatabase { database throws(BookmarkError) in
      let number = try database.transaction { () throws(BookmarkError) -> Int64 in
        let number =
          try isOurs(database) ? savedNumber ?? 0 : write(place, keeping: 0, in: database)
        try writePlace(place, number: number, in: database)
        if let bookmark, let item { try write(bookmark, of: item, in: database) }
        return number
      }
      if number != savedNumber { know(place, number) }
    }
  }

  /// Writes the list that `body` makes within the transaction.
  private func writeList(
    _ body: (Database) throws(BookmarkError) -> SavedQueue
  ) throws(BookmarkError) {
    try withDatabase { database throws(BookmarkError) in
      let (queue, number) = try database.transaction {
        () throws(BookmarkError) -> (SavedQueue, Int64) in
        let queue = try body(database)
        // What is in front of an edit stays: an item that comes behind a million others costs one row.
        var kept = 0
        if queue.original == nil, let saved = savedItems, try isOurs(database) {
          let common = min(saved.count, queue.items.count)
          while kept < common, saved[kept].isSaved(as: queue.items[kept]) { kept += 1 }
        }
        let number = try write(queue, keeping: kept, in: database)
        try writePlace(queue, number: number, in: database)
        return (queue, number)
      }
      know(queue, number)
    }
  }

  private func know(_ queue: SavedQueue, _ number: Int64) {
    savedItems = queue.original == nil ? queue.items : nil
    savedNumber = number
  }

  /// Tells whether the list in the table is the one that this object wrote last.
  private func isOurs(_ database: Database) throws(BookmarkError) -> Bool {
    guard let savedNumber else { return false }
    return try database.rows("SELECT number FROM queue") { $0.integer(0) }.first == savedNumber
  }

  private func storedPlace(
    in database: Database
  ) throws(BookmarkError) -> (
    index: Int, position: MediaTime, savedAt: WallTime, path: BytePath, start: MediaTime
  )? {
    try database.rows(
      """
      SELECT current, position, timescale, saved, path, start, start_timescale
      FROM queue JOIN entry ON place = current
      """
    ) { row in
      (
        index: Int(row.integer(0)), position: row.time(1) ?? .zero,
        savedAt: WallTime(milliseconds: row.integer(3)), path: BytePath(bytes: row.blob(4)),
        start: row.time(5) ?? .zero
      )
    }.first
  }

  /// Writes the items from one on, in front of which all are there.
  ///
  /// - Returns: The list's number, by which another process sees that it is another one.
  private func write(
    _ queue: SavedQueue, keeping kept: Int, in database: Database
  ) throws(BookmarkError) -> Int64 {
    try database.run("DELETE FROM entry WHERE place >= ?", [.integer(Int64(kept))])
    for place in kept..<queue.items.count {
      let item = queue.items[place]
      try database.run(
        "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          .integer(Int64(place)),
          queue.original?.index(of: item.id).map { .integer(Int64($0)) } ?? .null,
          .blob(item.savedPath.bytes), .integer(item.start.value),
          .integer(Int64(item.start.timescale)), item.end.map { .integer($0.value) } ?? .null,
          item.end.map { .integer(Int64($0.timescale)) } ?? .null, .real(Double(item.gain)),
          item.tags.map { .text($0.saved) } ?? .null, item.gap.map { .integer($0.value) } ?? .null,
          item.gap.map { .integer(Int64($0.timescale)) } ?? .null,
        ])
    }
    return .random(in: .min ... .max)
  }

  private func writePlace(
    _ queue: SavedQueue, number: Int64, in database: Database
  ) throws(BookmarkError) {
    try database.run(
      "INSERT OR REPLACE INTO queue VALUES (0, ?, ?, ?, ?, ?, ?, ?)",
      [
        queue.currentIndex.map { .integer(Int64($0)) } ?? .null, .integer(queue.position.value),
        .integer(Int64(queue.position.timescale)), .real(queue.rate), .text(queue.repeatMode.saved),
        .integer(queue.savedAt.milliseconds), .integer(number),
      ])
  }

  private static func item(
    _ row: Statement, _ source: (BytePath) -> (any AudioSource)?
  ) -> PlaylistItem {
    let path = BytePath(bytes: row.blob(0))
    // A damaged row ends nothing.
    let start = max(row.time(1) ?? .zero, .zero)
    let end = row.time(3).flatMap { $0 >= start ? $0 : nil }
    let gain = min(max(Float(row.real(5)), -120), 40)
    let tags = row.text(6).map(Tags.init(saved:))
    let gap = row.time(8).map { max($0, .zero) }
    let known = source(path)
    if known == nil, start == .zero, end == nil, gain == 0, tags == nil, gap == nil {
      return PlaylistItem(path: path)
    }
    return PlaylistItem(
      known ?? FileSource(path: path), start: start, end: end, gain: gain, gap: gap,
      tags: tags)
  }
}

extension PlaylistItem {
  /// The path from the root on, so that the list is the same from wherever it is taken up; a name that is no path.
  fileprivate var savedPath: BytePath {
    guard isFile, !bytePath.isAbsolute, let folder = getcwd(nil, 0) else { return bytePath }
    defer { free(folder) }
    return BytePath(bytes: UnsafeRawBufferPointer(start: folder, count: strlen(folder)))
      .appending(bytePath)
  }

  /// Tells whether a row for this item is one for `other`, too.
  fileprivate func isSaved(as other: PlaylistItem) -> Bool {
    id == other.id && gain == other.gain
  }
}

extension RepeatMode {
  fileprivate init(saved: String) {
    self = Self.allCases.first { $0.saved == saved } ?? .off
  }

  fileprivate var saved: String { "\(self)" }
}

extension Tags {
  // Control characters that no tag has: a value ends with a unit separator, a name with a record separator.
  private static let (unit, record): (Character, Character) = ("\u{1F}", "\u{1E}")

  /// Names and values in one text.
  fileprivate var saved: String {
    names.map { name in
      "\(name)\(Self.unit)" + self[name].joined(separator: String(Self.unit))
    }.joined(separator: String(Self.record))
  }

  fileprivate init(saved: String) {
    self.init()
    for part in saved.split(separator: Self.record) {
      let texts = part.split(separator: Self.unit, omittingEmptySubsequences: false)
      guard let name = texts.first else { continue }
      for value in texts.dropFirst() { add(String(value), to: Tags.Name(String(name))) }
    }
  }
}
