// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaTime
import SampleBuffers
import Testing

@Suite("Rate conversion") struct RateConverterTests {
  @Test(arguments: [1_000.0, 10_000, 18_000])
  func `a sine from 44.1 to 48 kHz keeps a signal-to-noise ratio of 140 dB`(frequency: Double) {
    let signal = Signal.tone(frequency, amplitude: 0.9)
    let sound = Excerpt(of: signal, from: .zero, count: 44_100, rate: 44_100)
    let heard = converted([sound.buffer(0..<44_100)], to: 48_000)
    let ideal = signal.values(from: 0, count: heard.count, rate: 48_000)
    var (power, noise) = (0.0, 0.0)
    for i in 1_000..<heard.count - 1_000 {
      power += ideal[i] * ideal[i]
      noise += (Double(heard[i]) - ideal[i]) * (Double(heard[i]) - ideal[i])
    }
    #expect(10 * log10(power / noise) >= 140)
  }

  @Test(arguments: RateConverter.Quality.allCases)
  func `n frames give round(n · to / from)`(quality: RateConverter.Quality) {
    for (count, from, to) in [(1, 44_100, 48_000), (1, 96_000, 44_100), (9_999, 44_100, 48_000)] {
      let converter = RateConverter(from: from, to: to, channelCount: 2, quality: quality)
      converter.push([Float](repeating: 0.5, count: 2 * count), frameCount: count)
      converter.end()
      var frames = [Float](repeating: 0, count: 64)
      var total = 0
      while true {
        let pulled = frames.withUnsafeMutableBufferPointer {
          $0.baseAddress.map { converter.pull(into: $0, frameCount: 32) } ?? 0
        }
        if pulled == 0 { break }
        total += pulled
      }
      #expect(total == Int(RationalTime(frames: Int64(count), rate: from).frames(at: to)))
    }
  }

  @Test func `silence stays silence, at a joint too`() {
    let rates = [44_100, 96_000, 48_000, 22_050]
    var start = RationalTime.zero
    let buffers = rates.map { rate in
      defer { start = start + RationalTime(frames: 5_001, rate: rate) }
      return SampleBuffer([Float](repeating: 0, count: 5_001), rate: rate, time: start)
    }
    #expect(converted(buffers, to: 48_000).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [100, -100])
  func `levels far from full scale are converted as any other`(power: Int) {
    let items = playlist(
      of: .tone(1_000, amplitude: 0.5), [(6_000, 44_100), (6_000, 96_000), (3_000, 22_050)])
    let factor = Float(sign: .plus, exponent: power, significand: 1)
    let plain = converted(items.map { $0.buffer(0..<$0.samples.count) }, to: 48_000)
    let scaled = converted(
      items.map { SampleBuffer($0.samples.map { $0 * factor }, rate: $0.rate, time: $0.start) },
      to: 48_000)
    // A power of two changes no digit.
    #expect(firstDifference(scaled, plain.map { $0 * factor }) == nil)
  }

  @Test func `denormal frames come out denormal and finite`() {
    let samples = (0..<5_000).map { Float(bitPattern: UInt32(1 + $0 % 40)) }
    let heard = converted(
      [
        SampleBuffer(samples, rate: 44_100, time: .zero),
        SampleBuffer(samples, rate: 96_000, time: RationalTime(frames: 5_000, rate: 44_100)),
      ], to: 48_000)
    #expect(heard.allSatisfy { abs($0) < 1_000 * .leastNonzeroMagnitude })
    #expect(heard.contains { $0 != 0 })
  }

  @Test func `frames beyond all bounds are forgotten, and frames are counted all the same`() {
    // Infinities and the largest floats, as a damaged float file may hold them.
    var samples = [Float](repeating: 0, count: 60_000)
    (samples[10_000], samples[10_001], samples[10_002]) = (.infinity, -.infinity, .nan)
    samples[10_003] = .greatestFiniteMagnitude
    let end = RationalTime(frames: 60_000, rate: 44_100)
    let heard = converted(
      [
        SampleBuffer(samples, rate: 44_100, time: .zero),
        SampleBuffer([Float](repeating: 0, count: 4_000), rate: 48_000, time: end),
      ], to: 48_000)
    #expect(
      heard.count == Int((end + RationalTime(frames: 4_000, rate: 48_000)).frames(at: 48_000)))
    #expect(heard[40_000...].allSatisfy { $0 == 0 })
  }
}
