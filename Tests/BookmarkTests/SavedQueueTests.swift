// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import Foundation
import MediaTime
import SoundFiles
import Testing

@Suite struct SavedQueueTests {
  /// What an item is made of.
  private func parts(_ item: PlaylistItem) -> [String] {
    [
      item.bytePath.text, "\(item.start)", "\(item.end as Any)", "\(item.gain)",
      "\(item.gap as Any)",
      item.tags.map { tags in tags.names.map { "\($0)=\(tags[$0])" }.joined(separator: ",") } ?? "",
      "\(item.source.map { "\(type(of: $0))" } as Any)",
    ]
  }

  private func queue(_ items: [PlaylistItem], original: [PlaylistItem]? = nil) -> SavedQueue {
    SavedQueue(
      items: PlaylistItems(items), original: original.map { PlaylistItems($0) }, currentIndex: 1,
      position: MediaTime(value: 7, timescale: 48_000), rate: -2, repeatMode: .all,
      savedAt: WallTime(milliseconds: 99))
  }

  @Test func `a list comes back with its clips, gains, tags, bytes and addresses`() throws {
    let folder = try BookmarkFolder()
    var tags = Tags()
    tags[.artist] = ["One", "Two"]
    tags.title = "A = B"
    let items = [
      PlaylistItem(path: "/a.wav"), PlaylistItem(path: BytePath(bytes: [0x2F, 0xE9, 0xFF])),
      PlaylistItem(
        path: "/b.wav", start: MediaTime(value: 1, timescale: 75),
        end: MediaTime(value: 900, timescale: 44_100), gain: -6.5,
        gap: MediaTime(value: 2, timescale: 1), tags: tags),
      PlaylistItem(MemorySource([], name: "http://host/x")),
    ]
    try folder.store().save(queue(items))
    let back = try #require(
      try folder.store().savedQueue { name in
        name.text.hasPrefix("http:") ? MemorySource([], name: name.text) : nil
      })
    #expect(back.items.map(parts) == items.map(parts))
    #expect(back.original == nil)
    #expect(back.currentIndex == 1)
    #expect(back.position == MediaTime(value: 7, timescale: 48_000))
    #expect(back.rate == -2)
    #expect(back.repeatMode == .all)
    #expect(back.savedAt.milliseconds == 99)
  }

  @Test func `an edit in the middle, at the end and of everything is what comes back`() throws {
    let folder = try BookmarkFolder()
    let store = try folder.store()
    var items = (0..<50).map { PlaylistItem(path: "/\($0)") }
    try store.save(queue(items))
    let edits: [(inout [PlaylistItem]) -> Void] = [
      { $0.append(PlaylistItem(path: "/new")) }, { $0.remove(at: 20) }, { $0.swapAt(3, 30) },
      { $0.insert(PlaylistItem(path: "/front"), at: 0) }, { $0.removeLast(10) },
      { $0 = [PlaylistItem(path: "/only"), PlaylistItem(path: "/two")] },
    ]
    for edit in edits {
      edit(&items)
      try store.save(queue(items))
      let back = try #require(try folder.store().savedQueue())
      #expect(back.items.map(\.path) == items.map(\.path))
    }
  }

  @Test func `a shuffled list comes back in both orders, at its place`() throws {
    let folder = try BookmarkFolder()
    let paths = try (0..<20).map {
      try folder.makeFile("\($0).wav", frames: 44_100, mark: UInt8($0))
    }
    let player = SampleBufferPlayer(renderer: NullRenderer())
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
    player.playlist.shuffle(seed: 4)
    player.setRepeatMode(.all)
    player.defaultRate = 1.5
    let place = MediaTime(value: 12_345, timescale: 44_100)
    player.jump(to: 17, offset: place)
    #expect(until { player.currentSpan != nil })
    let keeper = BookmarkKeeper(player: player, store: try folder.store())
    keeper.close()
    let shuffled = player.playlist.items.map(\.path)
    let queue = try #require(try folder.store().savedQueue())
    #expect(queue.currentIndex == 17)
    // The device's frame is rounded down to the file's.
    #expect((12_344...12_345).contains(queue.position.value))
    let other = SampleBufferPlayer(renderer: NullRenderer())
    other.restore(queue)
    #expect(other.playlist.items.map(\.path) == shuffled)
    #expect(other.playlist.isShuffled)
    #expect(other.defaultRate == 1.5)
    #expect(other.repeatMode == .all)
    #expect(until { other.currentSpan != nil })
    #expect(other.currentItemIndex == 17)
    #expect((place - other.currentTime).absoluteValue < MediaTime(value: 2, timescale: 44_100))
    other.playlist.unshuffle()
    #expect(other.playlist.items.map(\.path) == paths)
  }

  @Test func `a list that another process saved is replaced as a whole`() throws {
    let folder = try BookmarkFolder()
    let (store, other) = (try folder.store(), try folder.store())
    var items = (0..<5).map { PlaylistItem(path: "/\($0)") }
    try store.save(queue(items))
    try other.save(queue((0..<9).map { PlaylistItem(path: "/other/\($0)") }))
    items.append(PlaylistItem(path: "/new"))
    try store.save(queue(items))
    #expect(try other.savedQueue()?.items.map(\.path) == items.map(\.path))
  }

  @Test func `a relative path is saved from the root on, an address as it is`() throws {
    let folder = try BookmarkFolder()
    let store = try folder.store()
    try store.save(
      queue([PlaylistItem(path: "a/b.wav"), PlaylistItem(MemorySource([], name: "http://h/x"))]))
    let here = FileManager.default.currentDirectoryPath
    #expect(try store.savedQueue()?.items.map(\.path) == ["\(here)/a/b.wav", "http://h/x"])
  }

  @Test func `no list was saved in a new store`() throws {
    let folder = try BookmarkFolder()
    #expect(try folder.store().savedQueue() == nil)
  }
}
