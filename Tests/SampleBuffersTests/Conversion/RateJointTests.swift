// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaTime
import SampleBuffers
import Testing

/// One sound, cut into files of different rates.
@Suite("Joints of different rates") struct RateJointTests {
  static let signals = ["tone": Signal.tone(1_000), "dense": Signal.dense(highest: 9_500)]
  /// A recording's own ends ring, as any file's do.
  static let edge = 600

  @Test(arguments: ["tone", "dense"])
  func `cuts on whole stream frames leave no trace`(name: String) throws {
    let signal = try #require(Self.signals[name])
    let items = playlist(
      of: signal,
      [(8_820, 44_100), (7_001, 48_000), (10_006, 96_000), (4_410, 22_050), (8_820, 44_100)])
    let heard = converted(items.map { $0.buffer(0..<$0.samples.count) }, to: 48_000)
    let end = try #require(items.last?.end)
    #expect(heard.count == Int(end.frames(at: 48_000)))
    #expect(end.phase(at: 48_000) == 0)
    let ideal = signal.values(from: 0, count: heard.count, rate: 48_000)
    #expect(deviation(heard, ideal, in: Self.edge..<heard.count - Self.edge) <= -130)
  }

  @Test func `sound up to 20 kHz joins at -100 dB of full scale`() {
    let items = playlist(
      of: .dense(highest: 20_000),
      [
        (8_820, 44_100), (7_001, 48_000), (10_006, 96_000), (8_820, 44_100), (8_820, 88_200),
        (8_000, 48_000), (8_820, 44_100),
      ])
    let heard = converted(items.map { $0.buffer(0..<$0.samples.count) }, to: 48_000)
    let ideal = Signal.dense(highest: 20_000).values(from: 0, count: heard.count, rate: 48_000)
    #expect(deviation(heard, ideal, in: Self.edge..<heard.count - Self.edge) <= -100)
  }

  @Test(arguments: ["tone", "dense"])
  func `cuts between stream frames delay items by what their grids tell, and add nothing`(
    name: String
  ) throws {
    let signal = try #require(Self.signals[name])
    let items = playlist(
      of: signal,
      [
        (7_001, 44_100), (6_007, 48_000), (9_001, 44_100), (8_006, 96_000), (5_003, 22_050),
        (4_999, 48_000), (6_006, 96_000), (5_001, 88_200),
      ])
    let heard = converted(items.map { $0.buffer(0..<$0.samples.count) }, to: 48_000)
    let total = try #require(items.last?.end)
    #expect(heard.count == Int(total.frames(at: 48_000)))

    var native = 0.0
    for item in items {
      let place = -item.start.phase(at: 48_000)
      let delay: Double
      if item.rate == 48_000 {
        native = place
        delay = place
        #expect(abs(delay) <= 0.5)
      } else {
        // The nearest of the places that a lead of whole source frames can reach.
        let steps = Double(item.rate / gcd(item.rate, 48_000))
        let wanted = (native - place) * steps
        delay = native + (wanted.rounded() - wanted) / steps
        #expect(abs(delay - native) <= 0.5 / steps + 1e-9)
        if item.rate % 11_025 == 0 { #expect(abs(delay - native) <= 1.0 / 294 + 1e-9) }
      }
      let first = Int(item.start.frames(at: 48_000))
      let last = Int(item.end.frames(at: 48_000))
      let own =
        (first == 0 ? Self.edge : 0)..<(last - first - (last == heard.count ? Self.edge : 0))
      let part = Array(heard[first..<last])
      let shifted = signal.values(
        from: Int64(first), count: part.count, rate: 48_000, offset: -delay / 48_000)
      #expect(deviation(part, shifted, in: own) <= -130, "\(item.rate) Hz, \(delay) frames late")
      // Against the ideal the deviation is what that delay makes of the sound, and no more.
      let ideal = signal.values(from: Int64(first), count: part.count, rate: 48_000)
      let predicted = deviation(shifted.map(Float.init), ideal, in: own)
      let measured = deviation(part, ideal, in: own)
      #expect(predicted < -120 ? measured < -119 : abs(measured - predicted) < 0.1)
    }
  }

  private func gcd(_ a: Int, _ b: Int) -> Int { b == 0 ? a : gcd(b, a % b) }

  @Test func `a joint leaves stereo channels apart`() {
    let rates = [44_100, 96_000, 48_000]
    let left = playlist(of: .tone(1_000), rates.map { ($0 / 10, $0) })
    let right = playlist(of: .tone(3_000), rates.map { ($0 / 10, $0) })
    let both = zip(left, right).map { l, r in
      SampleBuffer(
        zip(l.samples, r.samples).flatMap { [$0, $1] }, rate: l.rate, layout: .stereo,
        time: l.start)
    }
    let heard = converted(both, to: 48_000, layout: .stereo)
    for (channel, items) in [left, right].enumerated() {
      let alone = converted(items.map { $0.buffer(0..<$0.samples.count) }, to: 48_000)
      let one = stride(from: channel, to: heard.count, by: 2).map { heard[$0] }
      #expect(firstDifference(one, alone) == nil)
    }
  }

  @Test func `many joints drift by nothing: native items stay within half a frame`() {
    // A ramp names each frame; 60 items of 441 frames at 44.1 kHz less one, between native ones.
    var playback = Playback(rate: 48_000)
    var end = RationalTime.zero
    var starts: [RationalTime] = []
    for item in 0..<120 {
      let rate = item % 2 == 0 ? 44_100 : 48_000
      let count = item % 2 == 0 ? 440 : 300
      let samples = item % 2 == 0 ? [Float](repeating: 0, count: count) : (1...300).map(Float.init)
      if item % 2 == 1 { starts.append(end) }
      playback.play(SampleBuffer(samples, rate: rate, time: end))
      end = end + RationalTime(frames: Int64(count), rate: rate)
    }
    playback.finish()
    for start in starts {
      let first = Int(start.frames(at: 48_000))
      #expect(Array(playback.tape.samples[first..<first + 300]) == (1...300).map(Float.init))
    }
  }
}
