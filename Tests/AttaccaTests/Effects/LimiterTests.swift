// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestFixtures
import TestSeeds
import Testing

@Suite struct LimiterTests {
  private static let format = AudioFormat(sampleRate: 48_000, layout: .stereo)

  @Test(arguments: [0, 0.001, 0.005, 0.1], [0, -3, 6] as [Float])
  func `no sample is beyond the ceiling, whatever comes`(_ lookAhead: Double, _ ceiling: Float) {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let limit = Float(pow(10, Double(ceiling) / 20))
    // Peaks of up to 40 dB over full scale, some frames apart, over noise.
    let samples = (0..<200_000).map { _ in
      Float.random(in: -1...1, using: &random)
        * (Int.random(in: 0..<200, using: &random) == 0 ? 100 : 0.5)
    }
    let effect = LimiterEffect(ceiling: ceiling, lookAhead: lookAhead, release: 0.05)
    let heard = processed(samples, by: effect, format: Self.format, pieces: [1, 777, 4_096])
    #expect(heard.count == samples.count)
    #expect(heard.allSatisfy { abs($0) <= limit }, "seed \(seed)")
    #expect(heard.contains { abs($0) > limit * 0.9 })
  }

  @Test func `what stays below the ceiling is not changed by a bit`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let samples = (0..<100_000).map { _ in Float.random(in: -1...1, using: &random) }
    let heard = processed(
      samples, by: LimiterEffect(), format: Self.format, pieces: [333, 4_096])
    #expect(firstDifference(samples, heard) == nil, "seed \(seed)")
  }

  @Test func `the gain goes down within the look-ahead, and comes up again in the release`() {
    // At 1,000 frames a second: 10 frames ahead, up again within 100 from 0 to 1.
    let format = AudioFormat(sampleRate: 1_000, layout: .mono)
    var samples = [Float](repeating: 0.5, count: 1_000)
    samples[500] = 2
    let effect = LimiterEffect(lookAhead: 0.01, release: 0.1)
    let heard = processed(samples, by: effect, format: format)
    // The gain that each frame needs, held over 11 frames, coming up by 1/100 a frame, and averaged over 11.
    let needed = samples.map { min(1, 1 / Double($0)) }
    var gain = 1.0
    let held = (0..<1_010).map { n in
      let low = (max(0, n - 10)...n).map { $0 < 1_000 ? needed[$0] : 1 }.min()!
      gain = min(low, gain + 0.01)
      return gain
    }
    let expected = (0..<1_000).map { n in
      Double(samples[n]) * (n...(n + 10)).reduce(0) { $0 + held[$1] } / 11
    }
    for n in 0..<1_000 { #expect(abs(Double(heard[n]) - expected[n]) < 1e-6, "frame \(n)") }
    #expect(heard[500] == 1)
    #expect(heard[..<490] == samples[..<490] && heard[570...] == samples[570...])
  }

  @Test func `behind its history a new limiter is as one that has run all along`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let samples = (0..<100_000).map { _ in Float.random(in: -3...3, using: &random) }
    let effect = LimiterEffect(release: 0.1)
    let processor = effect.makeProcessor(for: Self.format, maximumFrames: 512)
    let whole = processed(samples, by: effect, format: Self.format)
    let late = processed(Array(samples[40_000...]), by: effect, format: Self.format)
    let first = processor.history * 2
    #expect(firstDifference(Array(whole[(40_000 + first)...]), Array(late[first...])) == nil)
  }

  @Test func `all channels have one gain, and infinity is held too`() {
    var samples = [Float](repeating: 0.25, count: 2_000)
    samples[1_000] = 4
    samples[1_600] = .infinity
    let heard = processed(samples, by: LimiterEffect(), format: Self.format)
    #expect(heard[1_000] == 1 && heard[1_001] == 0.0625)
    #expect(heard.allSatisfy { abs($0) <= 1 })
  }
}
