// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Testing

/// Chapters that are played over and over.
@Suite struct LoopedChapterTests {
  private static let format = AudioFormat(sampleRate: ChapteredSource.rate, layout: .mono)
  private static let book = [
    Chapter("Part", 0, 3_000, [Chapter("A", 0), Chapter("B", 1_001)]),
    Chapter("C", 12_000, 14_000), Chapter("D", 14_000),
  ]

  private let offline = OfflinePlayback(format: LoopedChapterTests.format, fade: .none)
  private var player: SampleBufferPlayer { offline.player }

  /// Plays so many frames from `frame` on.
  private func begin(at frame: Int64, pull frames: Int, rate: Double = 1) {
    player.playlist.append(
      PlaylistItem(ChapteredSource("book", frames: 16_000, Self.book)))
    player.defaultRate = rate
    player.jump(to: 0, offset: Self.time(frame))
    player.play()
    _ = offline.pull(frames)
    wait { player.currentSpan != nil }
    offline.settle()
  }

  private static func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame, timescale: Int32(ChapteredSource.rate))
  }

  private static func frames(_ ranges: Range<Int>...) -> [Float] {
    ranges.flatMap { $0.map(Float.init) }
  }

  @Test func `a chapter is heard from its first frame to its last until the loop ends`() {
    begin(at: 900, pull: 201)
    player.loopChapter()
    offline.settle()
    #expect(player.loop?.start == Self.time(1_001) && player.loop?.end == Self.time(3_000))
    #expect(offline.pull(3_898) == Self.frames(1_101..<3_000, 1_001..<3_000))
    player.endLoop()
    offline.settle()
    #expect(offline.pull(2_500) == Self.frames(1_001..<3_501))
  }

  @Test func `the last chapter goes on to the item's end`() {
    begin(at: 14_500, pull: 100)
    player.loopChapter()
    offline.settle()
    #expect(player.loop?.end == .positiveInfinity)
    #expect(offline.pull(1_900) == Self.frames(14_600..<16_000, 14_000..<14_500))
  }

  @Test func `backwards a chapter is heard from its end down`() {
    begin(at: 13_900, pull: 100, rate: -1)
    player.loopChapter()
    offline.settle()
    let wanted = (12_000..<13_800).reversed() + (13_500..<14_000).reversed()
    #expect(offline.pull(2_300) == wanted.map(Float.init))
  }

  @Test func `between two chapters nothing is looped`() {
    begin(at: 5_000, pull: 100)
    player.loopChapter()
    #expect(player.loop == nil)
  }
}
