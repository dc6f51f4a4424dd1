// SPDX-License-Identifier: Apache-2.0

import Attacca

/// An effect that delays the sound by `latency` frames, which it tells, and leaves it alone otherwise.
struct TransparentEffect: AudioEffect {
  var latency: Int

  private final class Processor: AudioEffectProcessor {
    let latency: Int
    private var line: [Float]
    private var place = 0

    init(latency: Int, channels: Int) {
      self.latency = latency
      line = [Float](repeating: 0, count: latency * channels)
    }

    func process(_ frames: UnsafeMutablePointer<Float>, frameCount: Int) {
      guard latency > 0 else { return }
      for i in 0..<(frameCount * line.count / latency) {
        swap(&line[place], &frames[i])
        place = place + 1 == line.count ? 0 : place + 1
      }
    }
  }

  func makeProcessor(
    for format: AudioFormat, maximumFrames: Int
  ) -> any AudioEffectProcessor { Processor(latency: latency, channels: format.channelCount) }
}
