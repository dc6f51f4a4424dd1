// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import Testing

/// What voices give a device that asks for nothing.
@Suite struct BusFillingTests {
  private let output = SteppedOutput(reach: 0)
  private let bus: AudioBus

  init() { bus = AudioBus(device: output) }

  /// A voice that plays 10 s from now on.
  private func start() -> (renderer: AudioRenderer, synchronizer: RenderSynchronizer) {
    let (renderer, synchronizer) = (bus.makeRenderer(), RenderSynchronizer())
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    let samples = [Float](repeating: 0.5, count: 480_000)
    renderer.enqueue(SampleBuffer(samples: samples, format: output.format, at: .zero))
    renderer.finishEnqueuing()
    synchronizer.rate = 1
    return (renderer, synchronizer)
  }

  private var given: [StreamFrame] {
    bus.withLock { bus.voices.map { bus.mix.given(of: $0.lane) } }
  }

  /// The device holds a second.
  @Test func `a voice beside one that is edited gives more before the device asks for it`() {
    let (edited, beside) = (start(), start())
    withExtendedLifetime((edited, beside)) {
      #expect(given == [48_000, 48_000])
      // A quarter of what the device holds is no reason to wake the others.
      output.step(to: 12_000)
      edited.renderer.volume = 0.5
      #expect(given == [60_000, 48_000])
      output.step(to: 12_001)
      edited.renderer.volume = 0.6
      #expect(given == [60_001, 60_001])
      for n in 1...20 {
        let heard = StreamFrame(12_001 + Int64(n) * 6_000)
        output.step(to: heard)
        // What had no room yet another thread converts, once there is some.
        wait {
          bus.withLock {
            [edited, beside].allSatisfy { $0.renderer.line.ring.end >= heard + 48_000 }
          }
        }
        edited.renderer.volume = Float(n % 2) / 2
        #expect(given[1] - heard >= 36_000)
      }
    }
  }
}
