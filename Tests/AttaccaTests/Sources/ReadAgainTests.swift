// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import Synchronization
import Testing

/// Sources that say something else than they did.
@Suite struct ReadAgainTests {
  private final class Level: Sendable { let value = Atomic<Int>(1) }

  private func source(_ level: Level, _ name: String = "level") -> GeneratorSource {
    GeneratorSource(name: name, format: StepSource.format, frameCount: 96_000) { samples, _ in
      let level = Float(level.value.load(ordering: .relaxed))
      samples.update(repeating: level)
    }
  }

  @Test func `what is not heard yet is read again, and the playhead stays`() {
    let level = Level()
    let playback = OfflinePlayback(format: StepSource.format)
    playback.player.playlist.append(
      contentsOf: (0..<2).map { PlaylistItem(source(level, "\($0)")) })
    playback.player.play()
    #expect(playback.pull(10_000) == [Float](repeating: 1, count: 10_000))
    playback.waitForContent(upTo: 40_000)
    level.value.store(3, ordering: .relaxed)
    playback.player.readAgain()
    playback.settle()
    let heard = playback.pull(182_000)
    // A crossfade of 5 ms, from the next frame on.
    #expect(heard[..<240].allSatisfy { $0 >= 1 && $0 <= 3 })
    #expect(heard[0] < 1.1 && heard[239] > 2.9)
    #expect(heard[240...].allSatisfy { $0 == 3 })
    #expect(playback.pullToEnd() == [])
  }

  @Test func `the same frames are the same to the ear`() {
    let playback = OfflinePlayback(format: StepSource.format)
    playback.player.playlist.append(
      PlaylistItem(StepSource(name: "ramp", frameCount: 96_000)))
    playback.player.play()
    #expect(playback.pull(10_000) == StepSource.samples(0..<10_000))
    for _ in 0..<10 { playback.player.readAgain() }
    playback.settle()
    let heard = playback.pull(86_000)
    let expected = StepSource.samples(10_000..<96_000)
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(heard[240...] == expected[240...])
  }

  @Test func `paused it is what is heard next`() {
    let level = Level()
    let playback = OfflinePlayback(format: StepSource.format, fade: .none)
    playback.player.playlist.append(PlaylistItem(source(level)))
    playback.player.play()
    _ = playback.pull(10_000)
    playback.player.pause()
    playback.settle()
    level.value.store(3, ordering: .relaxed)
    playback.player.readAgain()
    playback.settle()
    playback.player.play()
    #expect(playback.pull(86_000) == [Float](repeating: 3, count: 86_000))
  }
}
