// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import TestFixtures
import Testing

@Suite struct DecoderWatchTests {
  /// A player whose decoder hangs on every path that starts with "hang".
  private func playback(gate: DispatchSemaphore, _ paths: [String]) -> OfflinePlayback {
    let pool = FramePool()
    let decoder = DecoderWatchdog(timeout: 0.2) { path throws(SoundFileError) in
      if path.hasPrefix("hang") { return HangingSource(gate: gate) }
      return try SoundFile(path: path, pool: pool)
    }
    return OfflinePlayback(paths, decoder: decoder)
  }

  @Test func `a decoder that hangs is given up on, reported, and the next item plays`() async {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let good = Fixtures.path("cut/uncut.flac")
    let playback = playback(gate: gate, ["hang 1", good, "hang 2", good])
    let events = playback.player.events
    let heard = playback.playToEnd()
    let uncut = (try? Fixtures.samples("cut/uncut.flac")) ?? []
    #expect(firstDifference(heard, uncut + uncut) == nil)
    var failed: [String] = []
    for await event in events {
      if case .itemsDidFail(let more) = event { failed += more.map { "\($0.error)" } }
      if case .endOfQueue = event { break }
    }
    #expect(failed.count == 2)
    #expect(failed.first?.hasPrefix("hang 1") ?? false)
    #expect(failed.last?.contains("no progress") ?? false)
  }

  @Test func `the fifth thread that hangs ends playing with a final error`() async {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let playback = playback(gate: gate, (1...7).map { "hang \($0)" })
    let events = playback.player.events
    playback.player.play()
    var failed = 0
    for await event in events {
      if case .itemsDidFail(let more) = event { failed += more.count }
      if case .failed(let error) = event {
        #expect("\(error)".contains("5 decoder threads hang"))
        break
      }
    }
    #expect(failed == 5)
    #expect(playback.player.rate == 0)
  }
}
