// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import Foundation
import MediaTime
import SampleBuffers
import Testing

/// What stays of a place when nothing is heard, or nothing new.
@Suite struct KeptPlaceTests {
  private let folder: BookmarkFolder
  private let store: BookmarkStore
  private let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .mono))
  private let player: SampleBufferPlayer
  private let place = MediaTime(value: 7, timescale: 44_100)

  init() throws {
    folder = try BookmarkFolder()
    store = try folder.store()
    player = SampleBufferPlayer(renderer: renderer)
  }

  private func save(_ paths: [String], at index: Int) throws {
    try store.save(
      SavedQueue(
        items: PlaylistItems(paths.map { PlaylistItem(path: $0) }), currentIndex: index,
        position: place, savedAt: WallTime(milliseconds: 99)))
  }

  @Test func `a list of which nothing can be opened stays where it was, at the same item`() throws {
    let paths = ["0", "1", "2"].map { folder.path($0) }
    try save(paths, at: 1)
    player.playlist.append(contentsOf: [PlaylistItem(path: folder.path("new"))])
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
    let keeper = BookmarkKeeper(player: player, store: store)
    player.play()
    #expect(until { player.isBehindAll })
    keeper.close()
    let queue = try #require(try store.savedQueue())
    #expect(queue.items.map(\.path) == [folder.path("new")] + paths)
    #expect(queue.currentIndex == 2)
    #expect(queue.position == place)
    #expect(queue.savedAt.milliseconds == 99)
  }

  @Test func `a player that was stopped leaves the place where it was`() throws {
    let path = try folder.makeFile("a.wav", frames: 5 * 44_100)
    player.playlist.append(PlaylistItem(path: path))
    let keeper = BookmarkKeeper(player: player, store: store)
    player.play()
    renderer.hear(2 * 48_000)
    #expect(try until { try store.savedQueue().map { $0.position > .zero } ?? false })
    player.stop()
    #expect(until { player.currentSpan == nil })
    player.playlist.append(PlaylistItem(path: folder.path("b")))
    keeper.close()
    let queue = try #require(try store.savedQueue())
    #expect(queue.items.count == 2)
    #expect(queue.currentIndex == 0)
    #expect(queue.position > .zero)
  }

  @Test func `a list that was heard to its end begins anew`() throws {
    let path = try folder.makeFile("a.wav", frames: 44_100)
    try save([path], at: 0)
    player.playlist.append(PlaylistItem(path: path))
    let keeper = BookmarkKeeper(player: player, store: store)
    player.play()
    renderer.hear(48_000)
    #expect(until { player.isBehindAll && player.currentSpan == nil })
    keeper.close()
    let queue = try #require(try store.savedQueue())
    #expect(queue.currentIndex == nil)
    #expect(queue.position == .zero)
  }

  @Test func `an item that is heard backwards to its beginning is finished there`() throws {
    let path = try folder.makeFile("a.wav", frames: 44_100)
    player.playlist.append(PlaylistItem(path: path))
    player.defaultRate = -1
    let keeper = BookmarkKeeper(player: player, store: store)
    player.play()
    renderer.hear(48_000)
    #expect(try until { try store.bookmark(of: player.playlist[0])?.isFinished == true })
    keeper.close()
    let bookmark = try #require(try store.bookmark(of: player.playlist[0]))
    #expect(bookmark.position == .zero)
    #expect(bookmark.isFinished)
    // Begun anew it is heard from its end.
    player.resume(at: 0, from: bookmark)
    player.play()
    renderer.hear(12_000)
    #expect(until { player.currentTime == MediaTime(value: 3, timescale: 4) })
  }

  @Test func `what is paused was heard when it was paused, however often that is written`() throws {
    let path = try folder.makeFile("a.wav", frames: 20 * 44_100)
    player.playlist.append(PlaylistItem(path: path))
    let keeper = BookmarkKeeper(player: player, store: store)
    player.play()
    renderer.hear(3 * 48_000)
    player.pause()
    #expect(until { player.rate == 0 })
    let item = player.playlist[0]
    // Written at the pause: the fade is heard, and the place is behind what was written at 2.7 s.
    let least = player.currentTime - MediaTime(value: 1, timescale: 44_100)
    #expect(try until { try store.bookmark(of: item).map { $0.position >= least } ?? false })
    let paused = try #require(try store.bookmark(of: item))
    #expect(until { WallTime.now.milliseconds > paused.heardAt.milliseconds + 20 })
    player.playlist.append(PlaylistItem(path: folder.path("b")))
    keeper.close()
    #expect(try store.bookmark(of: item) == paused)
    #expect(try store.savedQueue()?.savedAt == paused.heardAt)
  }

  @Test func `what was restored and not played stays as it was heard`() throws {
    let path = try folder.makeFile("a.wav", frames: 20 * 44_100)
    let item = PlaylistItem(path: path)
    var bookmark = Bookmark(
      path: item.bytePath, position: MediaTime(value: 12 * 44_100, timescale: 44_100),
      heardAt: WallTime(milliseconds: WallTime.now.milliseconds - 120_000))
    try store.set(bookmark, of: item)
    player.playlist.append(item)
    player.resume(at: 0, from: bookmark)
    #expect(until { player.currentTime == MediaTime(value: 8, timescale: 1) })
    BookmarkKeeper(player: player, store: store).close()
    let kept = try #require(try store.bookmark(of: item))
    bookmark.duration = kept.duration
    #expect(kept == bookmark)
    #expect(try store.savedQueue()?.savedAt == bookmark.heardAt)
  }

  /// Each item has offsets that the other one never has here.
  @Test func `an offset is the heard item's, at a skip too`() throws {
    for (i, seconds) in [4, 40].enumerated() {
      let path = try folder.makeFile("\(i).wav", frames: seconds * 8_000, rate: 8_000)
      player.playlist.append(PlaylistItem(path: path))
    }
    let begins = [1, 30].map { MediaTime(value: $0, timescale: 1) }
    player.play()
    var wrong: [String] = []
    for round in 0..<200 {
      let index = round % 2
      player.jump(to: index, offset: begins[index])
      let limit = Date(timeIntervalSinceNow: 20)
      while Date() < limit {
        renderer.hear(480)
        for _ in 0..<20 {
          guard let (span, offset) = player.heard else { continue }
          let isFirst = span.item == player.playlist[0]
          if isFirst != (offset < MediaTime(value: 5, timescale: 1)) {
            wrong.append("round \(round): \(offset)")
          }
        }
        if player.heard?.span.item == player.playlist[index] { break }
      }
    }
    #expect(wrong.isEmpty)
  }
}
