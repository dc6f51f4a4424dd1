// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering

/// A buffer of one channel whose first frame is heard at `time`.
func buffer(_ samples: [Float], rate: Int = 48_000, at time: RationalTime) -> SampleBuffer {
  let storage = FrameStorage(capacity: samples.count)
  samples.withUnsafeBufferPointer { source in
    if let first = source.baseAddress { storage.samples.update(from: first, count: source.count) }
  }
  return SampleBuffer(
    storage: storage, format: AudioFormat(sampleRate: rate, layout: .mono),
    frameCount: samples.count, time: time)
}

/// A buffer of one channel at 48 kHz from frame `frame` on.
func buffer(_ samples: [Float], atFrame frame: Int64) -> SampleBuffer {
  buffer(samples, at: RationalTime(frames: frame, rate: 48_000))
}

/// An offline renderer of one channel at 48 kHz, with the synchronizer that moves it.
final class PulledLine {
  let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .mono))
  let synchronizer = RenderSynchronizer()

  /// Seconds of sound that leave the renderer full: twice what its output is given ahead.
  var secondsToFill: Int { Int(2 * renderer.output.traits.targetLength) / 48_000 }

  init() {
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
  }

  /// What there is now, at most `frames` frames.
  func pull(_ frames: Int) -> [Float] {
    var heard = [Float](repeating: .nan, count: frames)
    let count = heard.withUnsafeMutableBufferPointer {
      renderer.render(frames: frames, into: $0.baseAddress!)
    }
    return Array(heard.prefix(count))
  }
}
