// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers

/// Items of `BurstSound` at a rate, and where the monitor hears their bursts.
struct BurstRecording {
  let playback: ServerPlayback
  let rate: Double
  let items: Int
  private var recorded = 0
  private var start: Int?
  /// The burst that is heard, or was heard last, in recorded frames.
  private var burst: ClosedRange<Int>?
  /// What each burst was late, in milliseconds of media time.
  private(set) var late: [Double] = []
  /// What the clock was ahead of the sound at each look, in milliseconds of host time.
  private(set) var ahead: [Double] = []
  /// The least that a frame was late, in nanoseconds of host time.
  private var zero = Double.infinity

  init(_ playback: ServerPlayback, rate: Double, items: Int) {
    (self.playback, self.rate, self.items) = (playback, rate, items)
  }

  /// Takes what has been recorded since the last time, and looks at the clock.
  mutating func read() {
    let seconds = playback.player.synchronizer.currentTime().seconds
    let now = Double(HostTime.now())
    let (samples, arrivals) = playback.capture.takeWithArrivals()
    samples.withUnsafeBufferPointer { samples in
      for i in 0..<samples.count / 2 {
        let (sample, frame) = (samples[2 * i], recorded + i)
        if start == nil, sample != 0 { start = frame }
        guard abs(sample) > BurstSound.threshold else { continue }
        // A hundredth of a second of something else is between two of them.
        if let last = burst, frame - last.upperBound > 480 { end(last) }
        burst = (burst?.lowerBound ?? frame)...frame
      }
    }
    recorded += samples.count / 2
    guard let start else { return }
    for arrival in arrivals {
      // A frame can arrive late, but not early, and this sink's time is the host's.
      let played = Double(arrival.frame + arrival.count - start) * 1e9 / 48_000
      zero = min(zero, Double(arrival.hostTime) - played)
    }
    ahead.append(1e3 * seconds / rate - (now - zero) / 1e6)
  }

  private mutating func end(_ last: ClosedRange<Int>) {
    let middle = Double(last.lowerBound + last.upperBound) / 2 - Double(start ?? 0)
    late.append(1e3 * (middle / 48_000 * rate - BurstSound.middle(late.count)))
    burst = nil
  }

  /// There is no more to come.
  mutating func finish() {
    read()
    if let burst { end(burst) }
  }
}
