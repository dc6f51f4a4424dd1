// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import CSQLite
import Foundation
import MediaTime
import SoundFiles
import TestSeeds
import Testing

@Suite struct BookmarkStoreTests {
  private func bookmark(
    of item: PlaylistItem, at frame: Int64, heardAt milliseconds: Int64 = 5
  ) -> Bookmark {
    Bookmark(
      path: item.bytePath, start: item.start, position: MediaTime(value: frame, timescale: 44_100),
      duration: MediaTime(value: 90_000, timescale: 44_100), rate: 1.5,
      heardAt: WallTime(milliseconds: milliseconds), isFinished: false, title: "A title")
  }

  @Test func `what was set is there for another opening of the store`() throws {
    let folder = try BookmarkFolder()
    let item = PlaylistItem(path: try folder.makeFile("a.wav", frames: 90_000))
    let store = try folder.store()
    let set = bookmark(of: item, at: 12_345)
    try store.set(set, of: item)
    let other = try folder.store()
    #expect(try other.bookmark(of: PlaylistItem(path: item.path)) == set)
    var later = set
    later.position = MediaTime(value: 12_346, timescale: 44_100)
    later.isFinished = true
    try other.set(later, of: PlaylistItem(path: item.path))
    #expect(try store.bookmark(of: item) == later)
    #expect(try store.bookmarks() == [later])
  }

  @Test func `a file is found where it was moved, and under another path to it`() throws {
    let folder = try BookmarkFolder()
    let item = PlaylistItem(path: try folder.makeFile("a.wav", frames: 200_000))
    let store = try folder.store()
    try store.set(bookmark(of: item, at: 77), of: item)
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: item.path)
    #expect(try store.bookmark(of: PlaylistItem(path: folder.path("link")))?.position.value == 77)
    try files.moveItem(atPath: item.path, toPath: folder.path("b.wav"))
    let moved = try store.bookmark(of: PlaylistItem(path: folder.path("b.wav")))
    #expect(moved?.position.value == 77)
    #expect(moved?.path == BytePath(folder.path("b.wav")))
    // Touched, as by a copy of the whole disk.
    try files.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: folder.path("b.wav"))
    #expect(try store.bookmark(of: PlaylistItem(path: folder.path("b.wav")))?.position.value == 77)
    #expect(try store.bookmarks().count == 1)
  }

  @Test func `another file in its place, and a copy beside it, have no bookmark`() throws {
    let folder = try BookmarkFolder()
    let item = PlaylistItem(path: try folder.makeFile("a.wav", frames: 200_000))
    let store = try folder.store()
    try store.set(bookmark(of: item, at: 77), of: item)
    try FileManager.default.copyItem(atPath: item.path, toPath: folder.path("copy.wav"))
    #expect(try store.bookmark(of: PlaylistItem(path: folder.path("copy.wav"))) == nil)
    // As long, and other in its last byte only.
    _ = try folder.makeFile("a.wav", frames: 200_000, mark: 1)
    #expect(try store.bookmark(of: item) == nil)
    try store.set(bookmark(of: item, at: 5), of: PlaylistItem(path: item.path))
    #expect(try store.bookmarks().map(\.position.value) == [5])
  }

  @Test func `clips of one file have bookmarks of their own, and an address has one`() throws {
    let folder = try BookmarkFolder()
    let path = try folder.makeFile("a.wav", frames: 90_000)
    let starts = [(0, 1), (588, 44_100), (1, 75), (2, 75)].map {
      MediaTime(value: $0, timescale: $1)
    }
    let store = try folder.store()
    for (i, start) in starts.enumerated() {
      let item = PlaylistItem(path: path, start: start)
      try store.set(bookmark(of: item, at: Int64(i)), of: item)
    }
    // 588 frames of 44,100 are a 75th.
    let positions = try starts.map {
      try store.bookmark(of: PlaylistItem(path: path, start: $0))?.position.value
    }
    #expect(positions == [0, 2, 2, 3])
    let address = PlaylistItem(MemorySource([], name: "http://host/a.mp3"))
    try store.set(bookmark(of: address, at: 9), of: address)
    #expect(try store.bookmark(of: address)?.position.value == 9)
    #expect(try store.removeBookmarks(of: BytePath(path)) == 3)
    #expect(try store.bookmarks().map(\.path.text) == ["http://host/a.mp3"])
    try store.removeAllBookmarks()
    #expect(try store.bookmarks().isEmpty)
  }

  @Test func `the newest bookmark of some items is theirs, whatever others were heard later`()
    throws
  {
    let folder = try BookmarkFolder()
    let items = try (0..<4).map {
      PlaylistItem(path: try folder.makeFile("\($0).wav", frames: 9_000, mark: UInt8($0)))
    }
    let store = try folder.store()
    for (item, time) in zip(items, [10, 30, 20, 40] as [Int64]) {
      try store.set(bookmark(of: item, at: time, heardAt: time), of: item)
    }
    let found = try store.newestBookmark(among: PlaylistItems(items[..<3]))
    #expect(found?.index == 1)
    #expect(found?.bookmark.position.value == 30)
    // Moved: no path is known.
    try FileManager.default.moveItem(atPath: items[0].path, toPath: folder.path("m.wav"))
    let moved = PlaylistItem(path: folder.path("m.wav"))
    #expect(try store.newestBookmark(among: PlaylistItems([moved]))?.index == 0)
    #expect(try store.newestBookmark(among: PlaylistItems([PlaylistItem(path: "none")])) == nil)
  }

  @Test func `a relative path, a link and a folder's link are known as the file that they lead to`()
    throws
  {
    let folder = try BookmarkFolder()
    let names = ["old.wav", "new.wav"]
    let items = try names.enumerated().map {
      PlaylistItem(path: try folder.makeFile($1, frames: 9_000, mark: UInt8($0)))
    }
    let store = try folder.store()
    for (i, item) in items.enumerated() {
      try store.set(bookmark(of: item, at: Int64(i), heardAt: Int64(i)), of: item)
    }
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: items[1].path)
    try files.createSymbolicLink(
      atPath: folder.path("folder"), withDestinationPath: folder.url.path)
    let depth = files.currentDirectoryPath.split(separator: "/").count
    let relative = String(repeating: "../", count: depth) + items[1].path.dropFirst()
    for path in [folder.path("link"), folder.path("folder/new.wav"), relative] {
      let list = PlaylistItems([items[0], PlaylistItem(path: path)])
      #expect(try store.newestBookmark(among: list)?.index == 1, "\(path)")
    }
  }

  // MARK: What is no store

  @Test func `a file that is no store is named, with what to do`() throws {
    let folder = try BookmarkFolder()
    try Data((0..<5_000).map { _ in 65 }).write(to: URL(fileURLWithPath: folder.path("a.sqlite")))
    let error = #expect(throws: BookmarkError.self) { try folder.store("a.sqlite") }
    let text = try #require(error).description
    #expect(
      text.hasPrefix(folder.path("a.sqlite") + ": is not a store of bookmarks, or is damaged"))
    #expect(text.hasSuffix("move it away, and a new one is made"))
    let place = #expect(throws: BookmarkError.self) {
      try BookmarkStore(path: "/proc/nothing/a.sqlite")
    }
    #expect(try #require(place).description.hasPrefix("/proc/nothing/a.sqlite: cannot be opened"))
  }

  @Test func `a store of a newer version is left as it is`() throws {
    let folder = try BookmarkFolder()
    _ = try folder.store("a.sqlite")
    var handle: OpaquePointer?
    sqlite3_open(folder.path("a.sqlite"), &handle)
    sqlite3_exec(handle, "PRAGMA user_version = 4", nil, nil, nil)
    sqlite3_close(handle)
    let error = #expect(throws: BookmarkError.self) { try folder.store("a.sqlite") }
    #expect(try #require(error).description.contains("newer version"))
  }

  /// A power loss leaves a beginning of the log, of any length, and nothing of what was written behind it.
  @Test func `a store whose log ends at any byte has one of the states that were written`() throws {
    let folder = try BookmarkFolder()
    let item = PlaylistItem(path: try folder.makeFile("a.wav", frames: 90_000))
    let store = try folder.store()
    try store.set(bookmark(of: item, at: 0), of: item)
    for frame in 1...20 { try store.set(bookmark(of: item, at: Int64(frame)), of: item) }
    let path = folder.path("store/bookmarks.sqlite")
    let database = try Data(contentsOf: URL(fileURLWithPath: path))
    let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
    try #require(log.count > 20 * 4_096)
    var random = SplitMix64()
    print("log of \(log.count) bytes, SEED=\(random.seed)")
    var last: Int64 = -1
    let lengths = (0..<60).map { _ in Int.random(in: 0...log.count, using: &random) }.sorted()
    for length in lengths + [log.count] {
      let copy = folder.path("copy.sqlite")
      try database.write(to: URL(fileURLWithPath: copy))
      try log.prefix(length).write(to: URL(fileURLWithPath: copy + "-wal"))
      try? FileManager.default.removeItem(atPath: copy + "-shm")
      let left = try folder.store("copy.sqlite").bookmarks().first?.position.value ?? -1
      #expect((last...20).contains(left), "\(length) bytes, behind \(last)")
      last = max(last, left)
    }
    #expect(last == 20)
  }
}
