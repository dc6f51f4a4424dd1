// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import TestSeeds
import Testing

/// Where one sound is cut, into buffers or into files of one rate, must not matter at all.
@Suite("Cuts within one rate") struct CutTests {
  static let signals = ["tone": Signal.tone(1_000), "dense": Signal.dense(highest: 20_000)]

  @Test(arguments: ["tone", "dense"], [44_100, 96_000, 22_050, 44_101])
  func `a sound cut into files of one rate is converted as if never cut`(
    name: String, rate: Int
  ) throws {
    let signal = try #require(Self.signals[name])
    let sound = Excerpt(of: signal, from: .zero, count: 16_000, rate: rate)
    let uncut = converted([sound.buffer(0..<16_000)], to: 48_000)
    var sizes = [1, 4_999, 2, 733, 6_000, 97].makeIterator()
    let cut = converted(sound.buffers { sizes.next() ?? 1_501 }, to: 48_000)
    #expect(uncut.count == Int(RationalTime(frames: 16_000, rate: rate).frames(at: 48_000)))
    #expect(firstDifference(cut, uncut) == nil)
  }

  @Test(arguments: RateConverter.Quality.allCases)
  func `the size of buffers changes no bit, across joints neither`(
    quality: RateConverter.Quality
  ) {
    let items = playlist(
      of: .dense(count: 40, highest: 9_500),
      [
        (5_003, 44_100), (4_801, 48_000), (9_999, 96_000), (2_205, 22_050), (31, 48_000),
        (7, 8_000),
      ])
    let whole = converted(
      items.map { $0.buffer(0..<$0.samples.count) }, to: 48_000, quality: quality)
    for seed: UInt64 in 1...3 {
      var random = SplitMix64(seed: seed)
      let pieces = items.flatMap { $0.buffers { Int(random.next() % 3_000) + 1 } }
      #expect(
        firstDifference(converted(pieces, to: 48_000, quality: quality), whole) == nil,
        "seed \(seed)")
    }
  }

  @Test func `frames at the output's rate come out equal to the bit`() {
    var random = SplitMix64(seed: 7)
    // Every pattern but NaN: infinities, denormals and negative zero too.
    let samples = (0..<9_999).map { _ -> Float in
      let any = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      return any.isNaN ? -0.0 : any
    }
    let sound = SampleBuffer(samples, rate: 48_000, time: .zero)
    let parts = [sound.slice(0..<1), sound.slice(1..<5_000), sound.slice(5_000..<9_999)]
    #expect(firstDifference(converted(parts, to: 48_000), samples) == nil)
  }

  @Test func `files of other layouts share the conversion: a change from stereo to mono is no cut`()
  {
    let sound = Excerpt(
      of: .dense(count: 40, highest: 20_000), from: .zero, count: 12_001, rate: 44_100)
    let doubled = sound.samples.flatMap { [$0, $0] }
    let uncut = converted(
      [SampleBuffer(doubled, rate: 44_100, layout: .stereo, time: .zero)], to: 48_000,
      layout: .stereo)
    let first = SampleBuffer(
      Array(doubled[..<10_006]), rate: 44_100, layout: .stereo, time: .zero)
    let cut = converted([first, sound.buffer(5_003..<12_001)], to: 48_000, layout: .stereo)
    #expect(firstDifference(cut, uncut) == nil)
  }

  @Test func `a buffer in which nothing is heard is no joint`() {
    let sound = Excerpt(of: .tone(1_000), from: .zero, count: 6_000, rate: 44_100)
    let middle = RationalTime(frames: 3_000, rate: 44_100)
    let parts = [
      sound.buffer(0..<3_000), SampleBuffer([], rate: 96_000, time: middle),
      SampleBuffer([1, 1], rate: 48_000, time: middle, trimAtStart: 1, trimAtEnd: 1),
      sound.buffer(3_000..<6_000),
    ]
    let uncut = converted([sound.buffer(0..<6_000)], to: 48_000)
    #expect(firstDifference(converted(parts, to: 48_000), uncut) == nil)
  }
}
