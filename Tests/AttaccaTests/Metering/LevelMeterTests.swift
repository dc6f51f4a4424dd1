// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import Testing

@Suite struct LevelMeterTests {
  private let format = AudioFormat(sampleRate: 48_000, layout: .stereo)

  /// `seconds` of a sine of 1 kHz on the left and half of it on the right.
  private func sine(seconds: Double) -> TappedAudio {
    let samples = (0..<Int(seconds * 48_000)).flatMap { n -> [Float] in
      let sample = Float(sin(2 * .pi * 1_000 * Double(n) / 48_000))
      return [sample, sample / 2]
    }
    return TappedAudio(
      buffer: SampleBuffer(samples: samples, format: format, at: .zero), rate: 1, hostTime: nil)
  }

  private func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 0.01 }

  @Test func `a sine of full scale has its peak at 0 and its mean at -3 dB, half of it 6 less`() {
    var meter = LevelMeter()
    #expect(meter.levels.isEmpty)
    for _ in 0..<200 { meter.update(sine(seconds: 0.02)) }
    let (left, right) = (meter.levels[0], meter.levels[1])
    #expect(isClose(left.peak, 0) && isClose(left.mean, -3.01) && isClose(left.hold, 0))
    #expect(isClose(right.peak, -6.02) && isClose(right.mean, -9.03))
  }

  @Test func `a peak falls by 20 dB in 1.7 s, and is held for 1.5`() {
    var meter = LevelMeter()
    meter.update(sine(seconds: 0.02))
    for _ in 0..<74 { meter.fall(for: 0.02) }
    #expect(isClose(meter.levels[0].peak, -20 / 1.7 * 1.48))
    #expect(isClose(meter.levels[0].hold, 0))
    for _ in 0..<11 { meter.fall(for: 0.02) }
    #expect(isClose(meter.levels[0].peak, -20))
    #expect(isClose(meter.levels[0].hold, -20 / 1.7 * 0.2))
    meter.fall(for: 60)
    #expect(meter.levels[0] == LevelMeter.Level())
  }
}
