// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import CSQLite
import Foundation
import MediaTime
import SampleBuffers
import Synchronization
import Testing

/// Players that are pulled: what is heard is known to the frame.
@Suite struct BookmarkKeeperTests {
  @Test(arguments: [
    (1.0, 8_000, 997, false), (1, 8_000, 999, true), (1, 8_000, 1_000, true),
    (1, 8_000, 1_003, false), (1.25, 8_000, 998, true), (1.25, 8_000, 997, false),
    (2.5, 8_000, 997, true), (2.5, 8_000, 996, false), (1, 48_000, 999, true),
    (1, 48_000, 998, false), (-1, 8_000, 0, true), (-1, 8_000, 3, false), (-2, 8_000, 2, true),
  ])
  func `an item is at its end with the last frame that a device has of it`(
    rate: Double, device: Int, frame: Int64, isFinished: Bool
  ) {
    let length = MediaTime(value: 1_000, timescale: 8_000)
    var bookmark = Bookmark(
      path: "a", start: .zero, position: MediaTime(value: frame, timescale: 8_000),
      duration: length, rate: rate, heardAt: .now, isFinished: false, title: nil)
    bookmark.finish(at: device)
    #expect(bookmark.isFinished == isFinished)
    if isFinished { #expect(bookmark.position == (rate < 0 ? .zero : length)) }
  }

  private static let format = AudioFormat(sampleRate: 48_000, layout: .mono)

  @Test func `the place that is kept is less than a second before what is heard, never behind it`()
    throws
  {
    let folder = try BookmarkFolder()
    let path = try folder.makeFile("a.wav", frames: 20 * 44_100)
    let renderer = OfflineRenderer(format: Self.format)
    let player = SampleBufferPlayer(renderer: renderer)
    player.playlist.append(PlaylistItem(path: path))
    let keeper = BookmarkKeeper(player: player, store: try folder.store())
    player.play()
    let reader = try folder.store()
    func kept() throws -> MediaTime? {
      let bookmark = try reader.bookmark(of: PlaylistItem(path: path))
      #expect(bookmark?.position.timescale ?? 44_100 == 44_100)
      return bookmark?.position
    }
    for step in 1...12 {
      renderer.hear(60_000)
      let heard = MediaTime(value: Int64(step) * 60_000, timescale: 48_000)
      #expect(try kept() ?? .zero <= heard)
      let least = heard - BookmarkKeeper.interval
      #expect(try until { try kept().map { $0 > least } ?? false }, "step \(step)")
      #expect(try #require(try kept()) <= heard)
    }
    keeper.close()
    // 15 s are 661,500 frames.
    #expect(try kept() == MediaTime(value: 661_500, timescale: 44_100))
    renderer.hear(60_000)
    #expect(try kept() == MediaTime(value: 661_500, timescale: 44_100))
  }

  @Test func `an item that was heard to its end is finished, and the next one is where it is`()
    throws
  {
    let folder = try BookmarkFolder()
    let paths = try [1, 2].map {
      try folder.makeFile("\($0).wav", frames: 2 * 44_100, mark: UInt8($0))
    }
    let renderer = OfflineRenderer(format: Self.format)
    let player = SampleBufferPlayer(renderer: renderer)
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
    let store = try folder.store()
    let keeper = BookmarkKeeper(player: player, store: store)
    player.play()
    renderer.hear(3 * 48_000)
    #expect(until { player.currentItem?.path == paths[1] })
    #expect(try until { try store.bookmark(of: player.playlist[0])?.isFinished == true })
    keeper.close()
    let first = try #require(try store.bookmark(of: player.playlist[0]))
    #expect(first.position == MediaTime(value: 88_200, timescale: 44_100))
    let second = try #require(try store.bookmark(of: player.playlist[1]))
    #expect(second.position == MediaTime(value: 44_100, timescale: 44_100))
    #expect(!second.isFinished)
    let queue = try #require(try store.savedQueue())
    #expect(queue.currentIndex == 1)
    #expect(queue.position == second.position)
    #expect(queue.items.map(\.path) == paths)
  }

  @Test func `a player goes on at the frame where another one was ended, at its rate`() throws {
    let folder = try BookmarkFolder()
    let path = try folder.makeFile("a.wav", frames: 20 * 44_100)
    let store = try folder.store()
    var bookmark = Bookmark(
      path: "", start: .zero, position: MediaTime(value: 300_001, timescale: 44_100), duration: nil,
      rate: 1.25, heardAt: .now, isFinished: false, title: nil)
    try store.set(bookmark, of: PlaylistItem(path: path))
    let player = SampleBufferPlayer(renderer: OfflineRenderer(format: Self.format))
    player.playlist.append(PlaylistItem(path: path))
    let found = try #require(try store.newestBookmark(among: player.playlist.items))
    player.resume(at: found.index, from: found.bookmark)
    #expect(player.defaultRate == 1.25)
    // The device's frame nearest to the file's.
    let frame = MediaTime(value: 1, timescale: 44_100)
    #expect(until { (player.currentTime - bookmark.position).absoluteValue < frame })
    // Ten minutes later 20 s before it, which is the beginning.
    bookmark.heardAt = WallTime(milliseconds: WallTime.now.milliseconds - 600_000)
    player.resume(at: 0, from: bookmark)
    #expect(until { player.currentTime == .zero })
  }

  @Test func `what cannot be written is told once, and playing goes on`() throws {
    let folder = try BookmarkFolder()
    let path = try folder.makeFile("a.wav", frames: 20 * 44_100)
    let store = try folder.store()
    var handle: OpaquePointer?
    sqlite3_open(folder.path("store/bookmarks.sqlite"), &handle)
    sqlite3_exec(handle, "DROP TABLE bookmark", nil, nil, nil)
    sqlite3_close(handle)
    let renderer = OfflineRenderer(format: Self.format)
    let player = SampleBufferPlayer(renderer: renderer)
    player.playlist.append(PlaylistItem(path: path))
    let told = Mutex<[String]>([])
    let keeper = BookmarkKeeper(player: player, store: store) { error in
      told.withLock { $0.append("\(error)") }
    }
    player.play()
    renderer.hear(10 * 48_000)
    #expect(player.currentTime == MediaTime(value: 10, timescale: 1))
    keeper.close()
    #expect(
      told.withLock { $0 }
        == [folder.path("store/bookmarks.sqlite") + ": no such table: bookmark"])
  }
}
