// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import TestSeeds
import Testing

/// A conversion that starts in the middle of a file, with some frames of history.
@Suite("Restarts") struct RestartTests {
  @Test(
    arguments: [(44_100, 48_000), (22_050, 48_000), (48_000, 44_100), (96_000, 44_100)],
    [1_024, 3_072])
  func `with 1,024 frames of history a restart equals the uninterrupted conversion to the bit`(
    rates: (from: Int, to: Int), history: Int
  ) {
    forEachRestart(from: rates.from, to: rates.to, history: history) { restarted, uncut, offset in
      #expect(firstDifference(restarted, uncut) == nil, "restarted at frame \(offset)")
    }
  }

  // Where soxr halves or doubles the rate in the frequency domain, it cuts off a spectrum at
  // -200 dB. That is below a bit, but tips the rounding of a frame here and there.
  @Test(arguments: [(96_000, 48_000), (192_000, 48_000), (88_200, 48_000), (8_000, 48_000)])
  func `a restart at twice the rate, or half, is off by a rounding at most`(
    rates: (from: Int, to: Int)
  ) {
    forEachRestart(from: rates.from, to: rates.to, history: 3_072) { restarted, uncut, offset in
      #expect(restarted.count == uncut.count)
      let differs = zip(restarted, uncut).contains { abs($0 - $1) > Float(0.5).ulp }
      #expect(!differs, "restarted at frame \(offset)")
    }
  }

  /// Restarts at 20 places; `body` gets what was heard from there on, what should be, and where.
  private func forEachRestart(
    from rate: Int, to outputRate: Int, history: Int, body: ([Float], [Float], Int) -> Void
  ) {
    let highest = Double(min(rate, outputRate)) * 0.45
    let sound = Excerpt(
      of: .dense(count: 60, highest: highest), from: .zero, count: 24_000, rate: rate)
    let uncut = converted([sound.buffer(0..<24_000)], to: outputRate)
    var random = SplitMix64(seed: UInt64(rate + history))
    for _ in 0..<20 {
      let offset = history + Int(random.next() % 14_000)
      var playback = Playback(rate: outputRate)
      playback.play(sound.buffer(offset..<offset + 3_000, history: history))
      playback.play(sound.buffer(offset + 3_000..<24_000))
      playback.finish()
      let time = RationalTime(frames: Int64(offset), rate: rate)
      let first = Int(time.frames(at: outputRate))
      #expect(playback.tape.first == Int64(first))
      body(playback.tape.samples, Array(uncut[first...]), offset)
    }
  }

  @Test func `what follows a finished queue continues it, on the next frame`() throws {
    let sound = Excerpt(of: .tone(1_000), from: .zero, count: 20_000, rate: 44_100)
    let uncut = converted([sound.buffer(0..<20_000)], to: 48_000)
    var playback = Playback(rate: 48_000)
    playback.play(sound.buffer(0..<10_000))
    playback.finish()
    let joint = playback.tape.samples.count
    #expect(joint == Int(RationalTime(frames: 10_000, rate: 44_100).frames(at: 48_000)))
    playback.play(sound.buffer(10_000..<20_000))
    playback.finish()
    #expect(playback.tape.gaps.isEmpty)
    // What was emitted by `finish` had silence after it; what comes after has the real past.
    #expect(
      firstDifference(Array(playback.tape.samples[joint...]), Array(uncut[joint...])) == nil)
  }
}
