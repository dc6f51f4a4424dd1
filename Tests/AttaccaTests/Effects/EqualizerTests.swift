// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestFixtures
import TestSeeds
import Testing

/// The equalizer against the formulas of the Audio EQ Cookbook, written down here a second time.
@Suite struct EqualizerTests {
  private typealias Band = EqualizerEffect.Band

  /// Coefficients b0, b1, b2, a0, a1, a2 as the cookbook has them.
  private static func cookbook(_ band: Band, _ rate: Double) -> [Double] {
    let A = pow(10, band.gain / 40)
    let w0 = 2 * Double.pi * band.frequency / rate
    let alpha = sin(w0) / (2 * band.q)
    let c = cos(w0)
    let s = 2 * sqrt(A) * alpha
    return switch band.shape {
    case .lowPass: [(1 - c) / 2, 1 - c, (1 - c) / 2, 1 + alpha, -2 * c, 1 - alpha]
    case .highPass: [(1 + c) / 2, -(1 + c), (1 + c) / 2, 1 + alpha, -2 * c, 1 - alpha]
    case .peaking: [1 + alpha * A, -2 * c, 1 - alpha * A, 1 + alpha / A, -2 * c, 1 - alpha / A]
    case .lowShelf:
      [
        A * ((A + 1) - (A - 1) * c + s), 2 * A * ((A - 1) - (A + 1) * c),
        A * ((A + 1) - (A - 1) * c - s), (A + 1) + (A - 1) * c + s,
        -2 * ((A - 1) + (A + 1) * c), (A + 1) + (A - 1) * c - s,
      ]
    case .highShelf:
      [
        A * ((A + 1) + (A - 1) * c + s), -2 * A * ((A - 1) + (A + 1) * c),
        A * ((A + 1) + (A - 1) * c - s), (A + 1) - (A - 1) * c + s,
        2 * ((A - 1) - (A + 1) * c), (A + 1) - (A - 1) * c - s,
      ]
    }
  }

  /// |H(e^jw)|² by φ = sin²(w/2), as the cookbook's author gives it, in decibels.
  private static func response(_ k: [Double], at frequency: Double, _ rate: Double) -> Double {
    let phi = pow(sin(Double.pi * frequency / rate), 2)
    func power(_ x: Double, _ y: Double, _ z: Double) -> Double {
      pow((x + y + z) / 2, 2) - phi * (4 * x * z * (1 - phi) + y * (x + z))
    }
    return 10 * log10(power(k[0], k[1], k[2])) - 10 * log10(power(k[3], k[4], k[5]))
  }

  /// Level of `impulse`'s spectrum at `frequency`, in decibels.
  private static func level(_ impulse: [Float], at frequency: Double, _ rate: Double) -> Double {
    var (re, im) = (0.0, 0.0)
    for (n, sample) in impulse.enumerated() {
      let angle = 2 * Double.pi * frequency / rate * Double(n)
      re += Double(sample) * cos(angle)
      im -= Double(sample) * sin(angle)
    }
    return 10 * log10(re * re + im * im)
  }

  private static let bands = [
    Band(.peaking, frequency: 1_000, gain: 6, q: 1), Band(.peaking, frequency: 60, gain: -12, q: 3),
    Band(.peaking, frequency: 15_000, gain: 9, q: 0.5), Band(.lowShelf, frequency: 200, gain: 8),
    Band(.highShelf, frequency: 6_000, gain: -9), Band(.lowPass, frequency: 8_000),
    Band(.highPass, frequency: 80), Band(.highPass, frequency: 300, q: 4),
  ]

  private static func impulse(_ count: Int) -> [Float] {
    [1] + [Float](repeating: 0, count: count - 1)
  }

  @Test(arguments: 0..<8, [44_100, 48_000, 96_000])
  func `the response of a band is the formula's to a hundredth of a decibel`(
    _ index: Int, _ rate: Int
  ) {
    let band = Self.bands[index]
    let format = AudioFormat(sampleRate: rate, layout: .mono)
    let heard = processed(Self.impulse(65_536), by: EqualizerEffect([band]), format: format)
    for frequency in [20, 60, 150, 300, 1_000, 3_000, 6_000, 10_000, 15_000] as [Double] {
      let expected = Self.response(
        Self.cookbook(band, Double(rate)), at: frequency, Double(rate))
      let level = Self.level(heard, at: frequency, Double(rate))
      #expect(abs(level - expected) < 0.01, "\(frequency) Hz")
    }
  }

  @Test func `what comes out is the difference equation's to the bit, whatever the pieces`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let rate = 48_000.0
    // Two channels, of which the second is something else.
    let samples = (0..<20_000).map { _ in Float.random(in: -1...1, using: &random) }
    let bands = Array(Self.bands.prefix(4))
    let heard = processed(
      samples, by: EqualizerEffect(bands), format: AudioFormat(sampleRate: 48_000, layout: .stereo),
      pieces: [1, 511, 64, 4_096])
    var expected = samples.map(Double.init)
    for band in bands {
      let k = Self.cookbook(band, rate)
      let (b0, b1, b2) = (k[0] / k[3], k[1] / k[3], k[2] / k[3])
      let (a1, a2) = (k[4] / k[3], k[5] / k[3])
      let x = expected
      for n in x.indices {
        let x1 = n >= 2 ? x[n - 2] : 0
        let x2 = n >= 4 ? x[n - 4] : 0
        let y1 = n >= 2 ? expected[n - 2] : 0
        let y2 = n >= 4 ? expected[n - 4] : 0
        expected[n] = b0 * x[n] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2
      }
    }
    #expect(firstDifference(heard, expected.map { Float($0) }) == nil, "seed \(seed)")
  }

  @Test func `bands without gain, and beyond half of the rate, change no bit`() {
    let samples = (0..<1_000).map { Float(sin(Double($0))) }
    let effect = EqualizerEffect([
      Band(.peaking, frequency: 1_000), Band(.lowShelf, frequency: 100),
      Band(.highShelf, frequency: 3_000), Band(.lowPass, frequency: 24_000),
    ])
    #expect(processed(samples, by: effect) == samples)
    let processor = effect.makeProcessor(
      for: AudioFormat(sampleRate: 48_000, layout: .mono), maximumFrames: 64)
    #expect((processor.latency, processor.tail, processor.history) == (0, 0, 0))
  }

  @Test(arguments: 0..<8) func `behind its tail a band is 100 dB down`(_ index: Int) {
    let effect = EqualizerEffect([Self.bands[index]])
    let processor = effect.makeProcessor(
      for: AudioFormat(sampleRate: 48_000, layout: .mono), maximumFrames: 1)
    let heard = processed(Self.impulse(48_000), by: effect)
    #expect(processor.tail < 24_000)
    #expect(heard[processor.tail...].allSatisfy { abs($0) < 1e-5 })
  }

  @Test func `what is no number is gone soon, and long silence is 0`() {
    var samples = [Float](repeating: 0, count: 4_096)
    samples[0] = .nan
    samples[1] = .infinity
    samples[2_000] = 1
    let heard = processed(samples, by: EqualizerEffect(Self.bands), pieces: [64])
    #expect(heard[2_048...].allSatisfy { $0.isFinite })
    let silent = processed(
      Self.impulse(400_000), by: EqualizerEffect([Self.bands[0]]), pieces: [64])
    #expect(silent[300_000...].allSatisfy { $0 == 0 })
  }
}
