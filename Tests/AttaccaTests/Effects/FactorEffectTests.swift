// SPDX-License-Identifier: Apache-2.0

import Attacca
import CAllocationCounter
import Foundation
@testable import Rendering
import Testing

/// Gain and balance, and what all built-in effects have in common.
@Suite struct FactorEffectTests {
  private static let format = AudioFormat(sampleRate: 48_000, layout: .surround71)

  private func factors(_ effect: any AudioEffect) -> [Float] {
    processed([1, 1, 1, 1, 1, 1, 1, 1], by: effect, format: Self.format)
  }

  @Test(arguments: [-60, -6, 0, 3.5, 20] as [Float])
  func `a gain is 10 to the power of a twentieth of its decibels`(_ gain: Float) {
    let factor = Float(pow(10, Double(gain) / 20))
    #expect(factors(GainEffect(gain)) == [Float](repeating: factor, count: 8))
  }

  @Test func `balance moves the speakers of both sides, and no other`() {
    // Front left and right, centre, low, back left and right, side left and right.
    #expect(factors(BalanceEffect(0.25)) == [0.75, 1, 1, 1, 0.75, 1, 0.75, 1])
    #expect(factors(BalanceEffect(-1)) == [1, 0, 1, 1, 1, 0, 1, 0])
    #expect(factors(BalanceEffect(0, law: .constantPower)) == [1, 1, 1, 1, 1, 1, 1, 1])
    #expect(processed([1], by: BalanceEffect(1)) == [1])
  }

  @Test(arguments: [-1, -0.7, -0.1, 0, 0.3, 1] as [Float])
  func `constant power is what it says`(_ balance: Float) {
    let heard = factors(BalanceEffect(balance, law: .constantPower))
    let angle = (balance + 1) * .pi / 4
    #expect(abs(heard[0] - sqrt(2) * cos(angle)) < 1e-6)
    #expect(abs(heard[1] - sqrt(2) * sin(angle)) < 1e-6)
    #expect(abs(heard[0] * heard[0] + heard[1] * heard[1] - 2) < 1e-6)
  }

  @Test(.enabled(if: allocations_on_this_thread() >= 0))
  func `processing allocates and frees nothing`() {
    let effects: [any AudioEffect] = [
      GainEffect(-3), BalanceEffect(0.5),
      EqualizerEffect([.init(.peaking, frequency: 1_000, gain: 3)]), LimiterEffect(),
    ]
    var samples = (0..<(8 * 4_096)).map { Float(sin(Double($0))) * 2 }
    samples.withUnsafeMutableBufferPointer { samples in
      for effect in effects {
        let processor = effect.makeProcessor(for: Self.format, maximumFrames: 4_096)
        var counts: [Int] = [0, 0, 0]
        for i in counts.indices {
          let before = allocations_on_this_thread()
          processor.process(samples.baseAddress!, frameCount: 4_096)
          counts[i] = allocations_on_this_thread() - before
        }
        #expect(counts == [0, 0, 0], "\(effect)")
      }
    }
  }
}
