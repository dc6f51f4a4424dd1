// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import CSQLite
import Foundation
import MediaTime
import Testing

/// Rows of files that change under their paths.
@Suite struct BookmarkRowTests {
  private let folder: BookmarkFolder
  private let store: BookmarkStore

  init() throws {
    folder = try BookmarkFolder()
    store = try folder.store()
  }

  private func item(_ name: String) -> PlaylistItem { PlaylistItem(path: folder.path(name)) }

  private func position(_ name: String) throws -> Int64? {
    try store.bookmark(of: item(name))?.position.value
  }

  private func set(_ position: Int64, _ item: PlaylistItem, in store: BookmarkStore) throws {
    try store.set(Bookmark(path: "", position: MediaTime(value: position, timescale: 1)), of: item)
  }

  /// A file whose time of change is its mark's.
  private func make(_ name: String, mark: UInt8) throws {
    let path = try folder.makeFile(name, frames: 9_000, mark: mark)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000 + Double(mark))], ofItemAtPath: path)
  }

  private func move(_ from: String, _ to: String) throws {
    try? FileManager.default.removeItem(atPath: folder.path(to))
    try FileManager.default.moveItem(atPath: folder.path(from), toPath: folder.path(to))
  }

  @Test func `files that changed their names have their bookmarks, whatever is in their places`()
    throws
  {
    for (i, name) in ["a", "b"].enumerated() {
      try make(name, mark: UInt8(i))
      try set(Int64(i), item(name), in: store)
    }
    try move("a", "t")
    try move("b", "a")
    try move("t", "b")
    #expect(try position("a") == 1)
    #expect(try position("b") == 0)
    // One behind the other, the first over a place that was just left.
    try move("b", "c")
    try move("a", "b")
    #expect(try position("b") == 1)
    #expect(try position("c") == 0)
    #expect(try store.bookmarks().count == 2)
  }

  @Test func `a file that was moved has its bookmark where another one has its place, and one`()
    throws
  {
    try make("a", mark: 0)
    try set(7, item("a"), in: store)
    try move("a", "c")
    try make("a", mark: 1)
    try set(8, item("a"), in: store)
    #expect(try store.bookmarks().map(\.position.value) == [8])
    #expect(try position("c") == 7)
    #expect(try position("a") == 8)
  }

  @Test func `a file that grows while it plays keeps its bookmark`() throws {
    try make("a", mark: 0)
    let item = item("a")
    try set(1, item, in: store)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: item.path))
    try file.seekToEnd()
    try file.write(contentsOf: [1, 2, 3])
    try file.close()
    try set(2, item, in: store)
    #expect(try position("a") == 2)
  }

  @Test func `a row that another process took away is not taken for another file's`() throws {
    try make("a", mark: 0)
    try make("b", mark: 1)
    let (other, known) = (try folder.store(), item("a"))
    try set(1, known, in: store)
    try other.removeAllBookmarks()
    try set(2, item("b"), in: other)
    try set(3, known, in: store)
    #expect(try position("a") == 3)
    #expect(try position("b") == 2)
  }

  /// Of this process's memory the first page cannot be read, whoever asks.
  @Test func `a file that cannot be read stops nothing`() throws {
    let unreadable = PlaylistItem(path: "/proc/self/mem")
    try set(4, unreadable, in: store)
    try set(5, unreadable, in: store)
    #expect(try store.bookmarks().map(\.position.value) == [5])
    #expect(try store.bookmark(of: PlaylistItem(path: "/proc/self/status")) == nil)
  }

  @Test func `numbers that no program writes are none`() throws {
    try make("a", mark: 0)
    try set(4, item("a"), in: store)
    for rate in ["9e999", "-9e999", "0", "'x'", "33", "-0.01"] {
      var handle: OpaquePointer?
      sqlite3_open(folder.path("store/bookmarks.sqlite"), &handle)
      sqlite3_exec(
        handle, "UPDATE bookmark SET heard = -9223372036854775808, rate = \(rate)", nil, nil, nil)
      sqlite3_close(handle)
      let bookmark = try #require(try store.bookmark(of: item("a")))
      #expect(bookmark.rate == 1)
      #expect(WallTime(milliseconds: 9).seconds(since: bookmark.heardAt) > 9e15)
    }
  }
}
