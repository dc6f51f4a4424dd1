// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering

/// A bus on an output whose time the test sets.
struct SteppedBus {
  let output: SteppedOutput
  let bus: AudioBus

  /// A bus that can no more replace what lies within `reach` frames of what is heard.
  init(reach: Int64) {
    output = SteppedOutput(reach: reach)
    bus = AudioBus(device: output)
  }

  /// A voice that plays 10 s from now on.
  func start() -> (renderer: AudioRenderer, synchronizer: RenderSynchronizer) {
    let (renderer, synchronizer) = (bus.makeRenderer(), RenderSynchronizer())
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    let samples = [Float](repeating: 0.5, count: 480_000)
    renderer.enqueue(SampleBuffer(samples: samples, format: output.format, at: .zero))
    renderer.finishEnqueuing()
    synchronizer.rate = 1
    return (renderer, synchronizer)
  }
}
