// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import Testing

/// What voices give a device that asks for nothing.
@Suite struct BusFillingTests {
  private let stepped = SteppedBus(reach: 0)

  private var given: [StreamFrame] {
    stepped.bus.withLock { stepped.bus.voices.map { stepped.bus.mix.given(of: $0.lane) } }
  }

  /// The device holds a second.
  @Test func `a voice beside one that is edited gives more before the device asks for it`() {
    let (edited, beside) = (stepped.start(), stepped.start())
    withExtendedLifetime((edited, beside)) {
      #expect(given == [48_000, 48_000])
      // A quarter of what the device holds is no reason to wake the others.
      stepped.output.step(to: 12_000)
      edited.renderer.volume = 0.5
      #expect(given == [60_000, 48_000])
      stepped.output.step(to: 12_001)
      edited.renderer.volume = 0.6
      #expect(given == [60_001, 60_001])
      for n in 1...20 {
        let heard = StreamFrame(12_001 + Int64(n) * 6_000)
        stepped.output.step(to: heard)
        // What had no room yet another thread converts, once there is some.
        wait {
          stepped.bus.withLock {
            [edited, beside].allSatisfy { $0.renderer.line.ring.end >= heard + 48_000 }
          }
        }
        edited.renderer.volume = Float(n % 2) / 2
        #expect(given[1] - heard >= 36_000)
      }
    }
  }
}
