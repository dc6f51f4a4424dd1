// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// Silences that are shortened, at the monitor of a sink.
@Suite struct SilenceOnServerTests {
  /// Loud frames, and silent ones behind them.
  private static let runs = [
    (24_000, 48_000), (6_000, 1_199), (9_000, 1_201), (24_000, 96_000), (12_000, 0),
  ]

  @Test func `what is heard is the file less what was told as left out`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      var frames: [Float] = []
      for (loud, quiet) in Self.runs {
        let first = frames.count / 2
        for n in first..<(first + loud) {
          frames += [0.25 + Float(n) / Float(1 << 20), -0.25]
        }
        frames += [Float](repeating: 0, count: 2 * quiet)
      }
      // On a sink that does not rewind: of one that does the monitor misses the first frames of a start.
      let playback = try ServerPlayback(
        TestedServer.shared, [try sound.write("runs", frames)], latency: .balanced, fade: .none,
        rewinds: false)
      playback.player.silenceSkipping = SilenceSkipping()
      playback.player.play()
      let recording = try playback.finish()
      func loud(_ samples: [Float]) -> [Float] { samples.filter { $0 != 0 } }
      #expect(loud(recording) == loud(frames))
      let first = try #require(recording.firstIndex { $0 != 0 })
      let last = try #require(recording.lastIndex { $0 != 0 })
      let skipped = RationalTime(playback.player.skippedSilence).frames(at: 48_000)
      #expect(skipped > 100_000)
      #expect((last + 1 - first) / 2 == frames.count / 2 - Int(skipped))
      #expect(playback.renderer.underrunCount == 0)
    }
  }
}
