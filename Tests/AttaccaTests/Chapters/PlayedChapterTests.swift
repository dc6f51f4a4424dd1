// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import TestSeeds
import Testing

/// Chapters of what is heard: which one, from which frame on, and how to get to the others.
@Suite struct PlayedChapterTests {
  private static let format = AudioFormat(sampleRate: ChapteredSource.rate, layout: .mono)
  /// A part with two chapters, and two more behind a gap of two seconds.
  private static let book = [
    Chapter("Part", 0, 20_000, [Chapter("A", 0), Chapter("B", 8_001)]),
    Chapter("C", 36_000, 52_000), Chapter("D", 52_000),
  ]

  private let offline = OfflinePlayback(format: PlayedChapterTests.format)
  private var player: SampleBufferPlayer { offline.player }

  init() { player.renderer.audioTimePitchAlgorithm = .varispeed }

  private func append(_ name: String, _ chapters: [Chapter], frames: Int64 = 80_000) {
    player.playlist.append(PlaylistItem(ChapteredSource(name, frames: frames, chapters)))
  }

  private func frame(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame, timescale: Int32(ChapteredSource.rate))
  }

  private var title: String? { player.currentChapter?.title }

  /// Has what is due by now be told.
  private func settle() {
    for _ in 0..<3 {
      player.synchronizer.observers.queue.sync {}
      player.serializer.queue.sync {}
    }
  }

  /// Pulls up to the frame before a chapter is heard, and then that one.
  private func expect(
    _ next: String?, after old: String?, in frames: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    _ = offline.pull(frames - 1)
    settle()
    #expect(title == old, "too early", sourceLocation: sourceLocation)
    _ = offline.pull(1)
    wait(sourceLocation: sourceLocation) { title == next }
  }

  /// The titles of the chapters that were told, up to the end.
  private func told(_ events: EventSequence<PlaybackEvent>) async -> [String] {
    var told: [String] = []
    for await event in events {
      switch event {
      case .chapterDidChange(let chapter): told.append(chapter?.title ?? "none")
      case .currentItemDidChange(let item?): told.append("item \(item.path)")
      default: break
      }
      if event.isLast { break }
    }
    return told
  }

  // MARK: What is heard

  @Test(arguments: [1.0, 2.0]) func `a chapter is told from its first frame on`(rate: Double) async
  {
    append("book", Self.book)
    append("plain", [])
    let events = player.events
    player.defaultRate = rate
    player.play()
    _ = offline.pull(1)
    wait { title == "A" }
    #expect(player.chapters == Self.book)
    var heard = rate
    for (next, old, place) in [
      ("B", "A", 8_001.0), (nil, "B", 20_000.0), ("C", nil, 36_000.0), ("D", "C", 52_000.0),
    ] {
      // At twice the speed every other frame is one of the timeline.
      let frames = Int(((place - heard) / rate).rounded(.up))
      expect(next, after: old, in: frames)
      heard += Double(frames) * rate
    }
    _ = offline.pullToEnd()
    #expect(
      await told(events) == ["item book", "A", "B", "none", "C", "D", "item plain", "none"])
  }

  @Test func `backwards a chapter is told from its last frame on`() async {
    append("book", Self.book)
    let events = player.events
    player.rate = -1
    _ = offline.pull(1)
    wait { title == "D" }
    expect("C", after: "D", in: 28_000 - 1)
    expect(nil, after: "C", in: 16_000)
    expect("B", after: nil, in: 16_000)
    expect("A", after: "B", in: 11_999)
    _ = offline.pullToEnd()
    #expect(await told(events) == ["item book", "D", "C", "none", "B", "A", "none"])
  }

  @Test func `what turns round tells the chapters that it comes back to`() {
    append("book", Self.book)
    player.play()
    _ = offline.pull(10_000)
    wait { title == "B" }
    player.rate = -1
    offline.settle()
    // Down from 10,000 to 8,001, and some more.
    _ = offline.pull(2_500)
    wait { title == "A" }
    player.rate = 1
    offline.settle()
    _ = offline.pull(1_500)
    wait { title == "B" }
  }

  @Test
  func `a repeated item begins with its first chapter, and a clip has those of what it plays`()
    async
  {
    player.playlist.append(
      PlaylistItem(
        ChapteredSource("book", frames: 80_000, Self.book), start: frame(6_000), end: frame(40_000))
    )
    player.setRepeatMode(.one)
    let events = player.events
    player.play()
    _ = offline.pull(1)
    wait { title == "A" }
    expect("B", after: "A", in: 2_001 - 1)
    expect(nil, after: "B", in: 11_999)
    expect("C", after: nil, in: 16_000)
    expect("A", after: "C", in: 4_000)
    expect("B", after: "A", in: 2_001)
    player.setRepeatMode(.off)
    offline.settle()
    _ = offline.pullToEnd()
    let once = ["item book", "A", "B", "none", "C"]
    let told = await told(events)
    #expect(told == once + once + ["none"], "\(told)")
  }

  @Test func `a loop within an item tells the chapters that it goes through`() {
    append("book", Self.book)
    player.play()
    _ = offline.pull(1)
    player.setLoop(from: frame(6_000), to: frame(10_000))
    // One that arrives where the filter's reach before B has been pulled goes to A at once.
    offline.settle()
    _ = offline.pull(9_000)
    wait { title == "B" }
    expect("A", after: "B", in: 10_000 - 9_001)
    expect("B", after: "A", in: 2_001)
  }

  // MARK: Going to others

  @Test func `chapters follow each other to the frame, and behind the last one the next item`() {
    append("book", Self.book)
    append("plain", [])
    player.play()
    _ = offline.pull(100)
    wait { title == "A" }
    for (name, place) in [("B", 8_001), ("C", 36_000), ("D", 52_000)] as [(String, Int64)] {
      offline.splicing { player.nextChapter() }
      let heard = offline.pull(200)
      #expect(heard[150] == Float(place + 150))
      wait { title == name }
    }
    offline.splicing { player.nextChapter() }
    _ = offline.pull(200)
    offline.waitForCurrent("plain")
    player.nextChapter()
    wait { player.currentItem == nil }
    #expect(!player.isPlaying)
  }

  @Test func `back goes to the start of a chapter, or to the one before`() {
    append("first", [])
    append("book", Self.book)
    player.jump(to: 1, offset: frame(78_000))
    player.play()
    _ = offline.pull(100)
    wait { title == "D" }
    let places: [(String, Float)] = [("D", 52_000), ("C", 36_000), ("B", 8_001), ("A", 0)]
    for (name, place) in places {
      offline.splicing { player.previousChapter() }
      let heard = offline.pull(200)
      #expect(heard[150] == place + 150)
      wait { title == name }
    }
    offline.splicing { player.previousChapter() }
    _ = offline.pull(200)
    offline.waitForCurrent("first")
    #expect(title == nil)
  }

  @Test func `backwards the next chapter and the one before begin with their ends`() {
    append("book", Self.book)
    player.jump(to: 0, offset: frame(10_000))
    player.rate = -1
    _ = offline.pull(100)
    wait { title == "B" }
    offline.splicing { player.nextChapter() }
    #expect(offline.pull(200)[150] == 51_999 - 150)
    wait { title == "C" }
    offline.splicing { player.previousChapter() }
    #expect(offline.pull(200)[150] == 35_999 - 150)
    // The gap between them is none's.
    wait { title == nil }
  }

  @Test func `a seek while paused shows the chapter that is heard next`() {
    append("book", Self.book)
    player.play()
    _ = offline.pull(100)
    player.pause()
    offline.settle()
    offline.splicing { player.seek(to: frame(40_000)) }
    wait { title == "C" }
    offline.splicing { player.nextChapter() }
    wait { title == "D" }
  }

  // MARK: Which is heard where

  /// The innermost chapter at a frame, by looking at all of them.
  private static func model(_ chapters: [Chapter], _ frame: Int64) -> String? {
    func number(_ time: MediaTime) -> Int64 { RationalTime(time).frames(at: ChapteredSource.rate) }
    var (found, list, isTop) = (String?.none, chapters, true)
    while let i = list.lastIndex(where: { number($0.start) <= frame }) {
      var end = list[i].end.map(number) ?? .max
      if isTop, i == list.count - 1 { end = .max }
      if i + 1 < list.count {
        let next = number(list[i + 1].start)
        if next - Int64(ChapteredSource.rate) < end { end = next }
      }
      guard frame < end else { return found }
      (found, list, isTop) = (list[i].title, list[i].chapters, false)
    }
    return found
  }

  private static func random(
    _ range: Range<Int64>, depth: Int, _ numbers: inout SplitMix64, _ count: inout Int
  ) -> [Chapter] {
    guard range.count > 10, depth > 0 else { return [] }
    let cuts = Set((0..<4).map { _ in Int64.random(in: range, using: &numbers) }).sorted()
    var chapters: [Chapter] = []
    for (i, start) in cuts.enumerated() {
      let next = i + 1 < cuts.count ? cuts[i + 1] : range.upperBound
      count += 1
      let end = Bool.random(using: &numbers) ? nil : Int64.random(in: start...next, using: &numbers)
      let title = "\(count)"
      chapters.append(
        Chapter(
          title, start, end, random(start..<(end ?? next), depth: depth - 1, &numbers, &count)))
    }
    return chapters
  }

  @Test func `the chapter that is heard is the innermost one, whatever there are`() throws {
    var numbers = SplitMix64()
    for _ in 0..<200 {
      var count = 0
      let chapters = Self.random(0..<80_000, depth: 3, &numbers, &count)
      let map = try #require(ChapterMap(chapters, rate: ChapteredSource.rate))
      #expect(
        map.all.count == count
          && zip(map.marks, map.marks.dropFirst()).allSatisfy { $0.offset < $1.offset })
      for _ in 0..<50 {
        let place = Int64.random(in: 0..<80_000, using: &numbers)
        let offset = RationalTime(frames: place, rate: ChapteredSource.rate)
        let found = map.mark(at: offset).flatMap { map.marks[$0].chapter }.flatMap {
          map.all[$0].title
        }
        #expect(found == Self.model(chapters, place), "frame \(place), seed \(numbers.seed)")
      }
    }
  }

  @Test func `chapters that lie, overlap and come from nowhere do no harm`() {
    let bad = [
      Chapter(title: "x", start: .invalid), Chapter(title: "y", start: .positiveInfinity),
      Chapter("a", 5_000, 1_000), Chapter("b", 2_000, 9_000, [Chapter("c", 0, 100_000)]),
      Chapter(title: "z", start: MediaTime(value: -5, timescale: 1)), Chapter("d", 2_000, 2_000),
      Chapter(title: "far", start: MediaTime(value: .max, timescale: 1)),
    ]
    let map = ChapterMap(bad, rate: 44_100)
    #expect(map?.all.count == 8)
    #expect(
      zip(map?.marks ?? [], map?.marks.dropFirst() ?? []).allSatisfy { $0.offset < $1.offset })
    #expect(ChapterMap([], rate: 44_100) == nil)
  }

  @Test func `a walk at random hears the chapter that the place says`() {
    var numbers = SplitMix64()
    var count = 0
    let chapters = Self.random(0..<80_000, depth: 3, &numbers, &count)
    append("book", chapters)
    player.setRepeatMode(.one)
    player.play()
    _ = offline.pull(10)
    for _ in 0..<40 {
      switch Int.random(in: 0..<4, using: &numbers) {
      case 0:
        let place = frame(.random(in: 0..<80_000, using: &numbers))
        offline.splicing { player.seek(to: place) }
      case 1:
        player.rate = Bool.random(using: &numbers) ? 1 : -1
        offline.settle()
      default: break
      }
      // Behind a turn's fade and its lead.
      _ = offline.pull(.random(in: 1_000..<9_000, using: &numbers))
      offline.settle()
      let isBackwards = player.rate < 0
      wait {
        let place = RationalTime(player.currentTime).frames(at: ChapteredSource.rate)
        return title == Self.model(chapters, isBackwards ? place - 1 : place)
      }
    }
  }
}
