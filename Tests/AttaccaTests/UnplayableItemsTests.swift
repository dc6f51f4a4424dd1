// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Synchronization
import TestFixtures
import Testing

/// Items that cannot be played, wherever they stand and however many there are.
@Suite struct UnplayableItemsTests {
  private static let good = Fixtures.path("cut/05.flac")

  /// What is heard, and how many items were reported.
  private func play(_ paths: [String]) async -> (heard: [Float], failures: Int) {
    let playback = OfflinePlayback(paths)
    let events = playback.player.events
    let heard = playback.playToEnd()
    var failures = 0
    for await event in events {
      if case .itemDidFail = event { failures += 1 }
      if case .endOfQueue = event { break }
    }
    return (heard, failures)
  }

  @Test func `10,000 missing files before, between and behind two others are 10,000 reports`()
    async throws
  {
    let missing = (0..<10_000).map { "missing/\($0).flac" }
    let paths = Array(missing[..<3_000]) + [Self.good] + missing[3_000..<7_000] + [Self.good]
    let (heard, failures) = await play(paths + Array(missing[7_000...]))
    let good = try Fixtures.samples("cut/05.flac")
    #expect(firstDifference(heard, good + good) == nil)
    #expect(failures == 10_000)
  }

  @Test(arguments: ["broken/noise.mp3", "broken/text.mp3", "broken/empty.wav"])
  func `a list of nothing but unreadable files comes to its end`(name: String) async {
    let (heard, failures) = await play(Array(repeating: Fixtures.path(name), count: 500))
    #expect(heard.isEmpty)
    #expect(failures == 500)
  }

  /// Counts what is opened, and stops at the 100th until it is let go.
  private final class Openings: Sendable {
    let count = Atomic<Int>(0)
    let reached = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)

    func note() {
      guard count.add(1, ordering: .relaxed).newValue == 100 else { return }
      reached.signal()
      gate.wait()
    }
  }

  @Test func `a command is carried out before the rest of 10,000 missing files has been tried`()
    throws
  {
    let openings = Openings()
    let pool = FramePool()
    let decoding = Decoding { path throws(SoundFileError) in
      openings.note()
      return try SoundFile(path: path, pool: pool)
    }
    let missing = (0..<10_000).map { "missing/\($0).flac" }
    let playback = OfflinePlayback(missing + [Self.good], decoding: decoding)
    playback.player.play()
    openings.reached.wait()
    let last = playback.player.playlist[10_000].id
    try playback.player.seek(to: last)
    openings.gate.signal()
    var heard: [Float] = []
    playback.renderer.renderToEnd { heard.append(contentsOf: $0) }
    #expect(firstDifference(heard, try Fixtures.samples("cut/05.flac")) == nil)
    #expect(openings.count.load(ordering: .relaxed) <= 102)
  }
}
