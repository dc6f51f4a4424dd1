// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import TestSeeds
import Testing

@Suite struct PlaylistLengthsTests {
  private func time(_ frames: Int64, _ rate: Int32 = 44_100) -> MediaTime {
    MediaTime(value: frames, timescale: rate)
  }

  private func exact(_ frames: Int64, _ rate: Int = 44_100) -> RationalTime {
    RationalTime(frames: frames, rate: rate)
  }

  private func items(_ count: Int) -> [PlaylistItem] {
    (0..<count).map { PlaylistItem(path: "item \($0)") }
  }

  /// The macro cannot take what changes a value.
  private func expectNews(_ isRight: Bool, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(isRight, sourceLocation: sourceLocation)
  }

  @Test func `places are known up to the first item whose length is not`() {
    let items = items(4)
    var lengths = PlaylistLengths(PlaylistItems(items))
    #expect(lengths.duration == .reading(atLeast: .zero, remaining: 4))
    #expect(lengths.start(ofItemAt: 0) == .zero && lengths.start(ofItemAt: 1) == nil)
    expectNews(lengths.learn(exact(300), of: items[0].id))
    expectNews(lengths.learn(exact(500), of: items[2].id))
    #expect(lengths.duration == .reading(atLeast: time(800), remaining: 2))
    #expect(lengths.start(ofItemAt: 1) == time(300) && lengths.start(ofItemAt: 2) == nil)
    #expect(lengths.position(of: time(7), in: items[1].id) == time(307))
    #expect(lengths.position(of: time(7), in: items[2].id) == nil)
    #expect(lengths.place(at: time(301)) == nil)
    #expect(lengths.place(at: time(299))! == (0, time(299)))
    #expect(lengths.place(at: time(300))! == (1, .zero))
    expectNews(lengths.learn(exact(400), of: items[1].id))
    expectNews(lengths.learn(nil, of: items[3].id))
    #expect(lengths.duration == .indefinite(atLeast: time(1_200), unknown: 1))
    #expect(lengths.length(ofItemAt: 3) == .unknown)
    expectNews(lengths.learn(exact(1), of: items[3].id))
    #expect(lengths.duration == .exact(time(1_201)))
    #expect(lengths.place(at: time(5_000))! == (3, time(1)))
    #expect(lengths.place(at: .zero - time(5))! == (0, .zero))
    expectNews(!lengths.learn(exact(1), of: items[3].id))
  }

  @Test func `a length that turns out to be another one moves what lies behind`() {
    let items = items(3)
    var lengths = PlaylistLengths(PlaylistItems(items))
    for item in items { _ = lengths.learn(exact(100), of: item.id) }
    expectNews(lengths.learn(exact(90), of: items[1].id))
    #expect(lengths.duration == .exact(time(290)))
    #expect(lengths.start(ofItemAt: 2) == time(190))
  }

  @Test func `what is known stays known behind an edit`() {
    let items = items(4)
    var lengths = PlaylistLengths(PlaylistItems(items))
    for (i, item) in items.enumerated() { _ = lengths.learn(exact(Int64(100 + i)), of: item.id) }
    let new = PlaylistItem(path: "new")
    lengths.replace(with: PlaylistItems([items[3], new, items[1]]))
    #expect(lengths.duration == .reading(atLeast: time(204), remaining: 1))
    #expect(lengths.start(ofItemAt: 1) == time(103) && lengths.start(ofItemAt: 2) == nil)
    #expect(lengths.firstUnread() == new)
    expectNews(lengths.learn(exact(7), of: new.id))
    #expect(lengths.start(ofItemAt: 2) == time(110))
    #expect(lengths.firstUnread() == nil)
  }

  @Test func `chapters of all items are on one line`() {
    let items = items(3)
    var lengths = PlaylistLengths(PlaylistItems(items))
    let own = [
      Chapter(title: "a", start: .zero), Chapter(title: "b", start: time(40), end: time(50)),
    ]
    _ = lengths.learn(exact(100), of: items[0].id)
    _ = lengths.learn(exact(100), of: items[1].id, chapters: own, title: "Two")
    let chapters = lengths.chapters
    #expect(chapters.map(\.title) == ["item 0", "Two", "item 2"])
    #expect(chapters.map(\.start) == [.zero, time(100), time(200)])
    #expect(chapters.map(\.end) == [time(100), time(200), nil])
    #expect(chapters[1].chapters.map(\.start) == [time(100), time(140)])
    #expect(chapters[1].chapters[1].end == time(150))
  }

  @Test func `ten thousand items of many rates have exact places`() {
    var random = SplitMix64(seed: 3)
    let items = items(10_000)
    var lengths = PlaylistLengths(PlaylistItems(items))
    var (starts, sum) = ([RationalTime](), RationalTime.zero)
    for item in items {
      let rate = [44_100, 48_000, 22_050, 96_000].randomElement(using: &random)!
      let length = exact(.random(in: 1...1_000_000, using: &random), rate)
      starts.append(sum)
      sum = sum + length
      _ = lengths.learn(length, of: item.id)
    }
    for _ in 0..<1_000 {
      let index = Int.random(in: 0..<10_000, using: &random)
      let place = lengths.place(at: MediaTime(starts[index]))!
      #expect(place.index == index && place.offset == .zero)
      #expect(lengths.start(ofItemAt: index) == MediaTime(starts[index]))
    }
  }
}
