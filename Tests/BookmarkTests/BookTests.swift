// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks
import Foundation
import MediaTime
import SampleBuffers
import SoundFiles
import Testing

/// Books: their speeds, and what is left out of each of their files.
@Suite struct BookTests {
  private let folder: BookmarkFolder
  private let store: BookmarkStore

  init() throws {
    folder = try BookmarkFolder()
    store = try folder.store()
  }

  private func seconds(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 1) }

  private func makeBook(_ name: String, files: Int) throws -> [PlaylistItem] {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: true)
    return try (0..<files).map {
      PlaylistItem(path: try folder.makeFile("\(name)/\($0).wav", frames: 44_100, mark: UInt8($0)))
    }
  }

  @Test func `settings are kept by the path of a book, and forgotten`() throws {
    let path = BytePath(folder.path("a"))
    #expect(try store.settings(ofBookAt: path) == nil)
    let settings = BookSettings(
      rate: 1.75, intro: seconds(30), outro: MediaTime(value: 7, timescale: 3))
    try store.set(settings, ofBookAt: path)
    #expect(try folder.store().settings(ofBookAt: path) == settings)
    try store.set(nil, ofBookAt: path)
    #expect(try store.settings(ofBookAt: path) == nil)
  }

  @Test func `a file has the settings of the nearest folder around it, or its own`() throws {
    let items = try makeBook("shelf/book", files: 2)
    try store.set(BookSettings(rate: 2), ofBookAt: BytePath(folder.path("shelf")))
    #expect(try store.settings(ofBookAround: items[0])?.rate == 2)
    try store.set(BookSettings(rate: 1.5), ofBookAt: BytePath(folder.path("shelf/book")))
    try store.set(BookSettings(rate: 0.75), ofBookAt: items[1].bytePath)
    #expect(try store.settings(ofBookAround: items[0])?.rate == 1.5)
    #expect(try store.settings(ofBookAround: items[1])?.rate == 0.75)
  }

  @Test func `each folder has its speed, which is remembered, and others have the usual one`()
    throws
  {
    let (one, two) = (try makeBook("one", files: 2), try makeBook("two", files: 1))
    try store.set(
      BookSettings(rate: 1.5, intro: seconds(3)), ofBookAt: BytePath(folder.path("one")))
    let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 44_100, layout: .mono))
    let player = SampleBufferPlayer(renderer: renderer)
    player.playlist.append(contentsOf: one + two)
    let keeper = SpeedKeeper(player: player, store: store)
    player.play()
    renderer.hear(10)
    #expect(until { player.defaultRate == 1.5 && player.rate == 1.5 })
    player.jump(to: 2)
    #expect(until { player.currentItem == two[0] })
    #expect(until { player.defaultRate == 1 && player.rate == 1 })
    player.defaultRate = -2
    player.play()
    #expect(try until { try store.settings(ofBookAt: BytePath(folder.path("two")))?.rate == 2 })
    // Backwards it stays.
    player.jump(to: 1)
    #expect(until { player.defaultRate == -1.5 })
    keeper.close()
    #expect(
      try store.settings(ofBookAt: BytePath(folder.path("one")))
        == BookSettings(rate: 1.5, intro: seconds(3)))
  }

  @Test func `a speed that is asked for counts more than what is remembered, and is from then on`()
    throws
  {
    let items = try makeBook("one", files: 1)
    try store.set(BookSettings(rate: 1.5), ofBookAt: BytePath(folder.path("list")))
    let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 44_100, layout: .mono))
    let player = SampleBufferPlayer(renderer: renderer)
    player.playlist.append(contentsOf: items)
    player.defaultRate = 1.25
    let keeper = SpeedKeeper(
      player: player, store: store, per: .book(BytePath(folder.path("list"))), asked: 1.25)
    player.play()
    renderer.hear(10)
    #expect(
      try until { try store.settings(ofBookAt: BytePath(folder.path("list")))?.rate == 1.25 })
    #expect(player.defaultRate == 1.25)
    keeper.close()
  }

  @Test func `the speed that a player begins with is remembered of a book that has none`() throws {
    let player = SampleBufferPlayer(
      renderer: OfflineRenderer(format: AudioFormat(sampleRate: 44_100, layout: .mono)))
    player.playlist.append(contentsOf: try makeBook("one", files: 1))
    player.defaultRate = 1.5
    let keeper = SpeedKeeper(player: player, store: store)
    player.play()
    #expect(try until { try store.settings(ofBookAt: BytePath(folder.path("one")))?.rate == 1.5 })
    keeper.close()
  }

  @Test func `a book without its intros and outros is one of clips`() throws {
    let item = PlaylistItem(
      FileSource(path: "a"), start: seconds(5), end: nil, gain: 3, gap: seconds(1))
    let clip = item.skipping(intro: seconds(30), outro: seconds(10), of: seconds(100))
    #expect(clip.start == seconds(35) && clip.end == seconds(95))
    #expect(clip.gain == 3 && clip.gap == seconds(1))
    #expect(item.skipping(intro: seconds(30), outro: .zero, of: nil).end == nil)
    // What is shorter is heard as a whole.
    #expect(item.skipping(intro: seconds(60), outro: seconds(40), of: seconds(100)) == item)
    #expect(item.skipping(intro: .zero, outro: .zero, of: seconds(100)) == item)
  }
}
