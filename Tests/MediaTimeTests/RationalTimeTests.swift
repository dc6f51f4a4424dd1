// SPDX-License-Identifier: Apache-2.0

import MediaTime
import TestSeeds
import Testing

@Suite struct RationalTimeTests {
  @Test func `seconds are the fraction as a number`() {
    #expect(RationalTime(frames: 66_150, rate: 44_100).seconds == 1.5)
    #expect((RationalTime.zero - RationalTime(frames: 1, rate: 3)).seconds == -1.0 / 3)
  }

  @Test func `a time is kept in lowest terms with a positive denominator`() {
    let time = RationalTime(frames: 24_000, rate: 48_000)
    #expect(time.numerator == 1 && time.denominator == 2)
    #expect(time == RationalTime(frames: 22_050, rate: 44_100))
    #expect(time.hashValue == RationalTime(frames: 22_050, rate: 44_100).hashValue)
    let negative = RationalTime(frames: -6, rate: 4)
    #expect(negative.numerator == -3 && negative.denominator == 2)
    let zero = RationalTime(frames: 0, rate: 44_100)
    #expect(zero == .zero && zero.denominator == 1)
    let least = RationalTime(frames: .min, rate: 2)
    #expect(least.numerator == -(1 << 62) && least.denominator == 1)
    let rate = RationalTime(frames: 1, rate: .max)
    #expect(rate.denominator == .max)
  }

  @Test func `a difference of equal times is zero, and a sum of opposites`() {
    let time = RationalTime(frames: 7, rate: 44_100)
    #expect(time - time == .zero)
    #expect(time + RationalTime(frames: -7, rate: 44_100) == .zero)
    #expect(RationalTime.zero - time == RationalTime(frames: -7, rate: 44_100))
    #expect(time + .zero == time)
  }

  @Test func `a million items of mixed common rates end on the exact frame`() {
    var end = RationalTime.zero
    var frames = [Int64](repeating: 0, count: commonRates.count)
    for item in 0..<1_000_000 {
      let index = item % commonRates.count
      let count = Int64(item % 1009 + 1)
      frames[index] += count
      end = end + RationalTime(frames: count, rate: Int(commonRates[index]))
    }
    // The same sum by whole units of 1/28,224,000 s.
    let units = zip(frames, commonRates).reduce(Int128(0)) {
      $0 + Int128($1.0) * Int128(28_224_000 / $1.1)
    }
    #expect(end.numerator * (28_224_000 / Int128(end.denominator)) == units)
  }

  @Test(
    arguments: [
      (1, 2, 1, 1), (-1, 2, 1, -1), (1, 3, 1, 0), (2, 3, 1, 1), (-2, 3, 1, -1), (-1, 3, 1, 0),
      (3, 4, 2, 2), (1, 4, 2, 1), (-1, 4, 2, -1), (1, 44_100, 48_000, 1), (0, 1, 48_000, 0),
      (Int64.max, 1, 1, Int64.max), (Int64.min, 1, 1, Int64.min),
      (Int64.max, 48_000, 48_000, Int64.max), (Int64.max, 192_000, 96_000, 1 << 62),
    ] as [(Int64, Int, Int, Int64)])
  func `frames go to the nearest boundary, halves away from zero`(
    frames: Int64, of rate: Int, at other: Int, wanted: Int64
  ) {
    #expect(RationalTime(frames: frames, rate: rate).frames(at: other) == wanted)
  }

  @Test func `the 64-bit and the 128-bit way to a frame agree with exact division`() {
    let failed = forSeededCases { random in
      let time = RationalTime(frames: random.value() >> 8, rate: Int(random.timescale()))
      let rate = Int(random.next() % 400_000) + 1
      let scaled = time.numerator * Int128(rate)
      // floor(x + 1/2) of the magnitude, as (2n + d) / 2d.
      let magnitude =
        (2 * scaled.magnitude + UInt128(time.denominator)) / (2 * UInt128(time.denominator))
      guard magnitude <= UInt128(Int64.max) else { return true }
      let wanted = scaled < 0 ? -Int64(magnitude) : Int64(magnitude)
      let phase = time.phase(at: rate)
      return time.frames(at: rate) == wanted && abs(phase) <= 0.5
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `the phase is what rounding to a frame left out`() {
    #expect(RationalTime(frames: 1, rate: 4).phase(at: 1) == 0.25)
    #expect(RationalTime(frames: 3, rate: 4).phase(at: 1) == -0.25)
    #expect(RationalTime(frames: 1, rate: 2).phase(at: 1) == -0.5)
    #expect(RationalTime(frames: 147, rate: 44_100).phase(at: 48_000) == 0)
  }

  @Test func `times of strange denominators compare without overflow`() {
    // Primes just below 2^20: three make a denominator of 60 bits, and with 2^50 s a numerator
    // of 110.
    let primes = [1_048_573, 1_048_571, 1_048_559, 1_048_549, 1_048_517, 1_048_507]
    func sum(_ indices: [Int], plus whole: Int64) -> RationalTime {
      indices.reduce(RationalTime(frames: whole, rate: 1)) {
        $0 + RationalTime(frames: 1, rate: primes[$1])
      }
    }
    let (a, b) = (sum([0, 1, 2], plus: 1 << 50), sum([3, 4, 5], plus: 1 << 50))
    #expect(a.denominator > 1 << 59 && b.denominator > 1 << 59)
    #expect(a < b)
    #expect(!(b < a))
    #expect(b < sum([0, 1, 2], plus: 1 << 50 + 1))
    #expect(sum([0, 1, 2], plus: -5) < b)
    #expect(sum([0, 1, 2], plus: -5) < sum([3, 4, 5], plus: -5))
  }

  @Test func `a sum beyond 62 bits is rounded to the fallback denominator`() {
    let primes = [1_048_573, 1_048_571, 1_048_559, 1_048_549]
    let sum = primes.reduce(RationalTime.zero) { $0 + RationalTime(frames: 1, rate: $1) }
    #expect(RationalTime.fallbackDenominator % sum.denominator == 0)
    let wanted = primes.reduce(0.0) { $0 + 1 / Double($1) }
    let off = abs(Double(sum.numerator) / Double(sum.denominator) - wanted)
    #expect(off <= 1 / Double(RationalTime.fallbackDenominator))
    #expect(RationalTime.fallbackDenominator % 384_000 == 0)
  }

  @Test func `sums obey the laws of addition where nothing is rounded`() {
    let failed = forSeededCases { random in
      let times = (0..<3).map { _ in RationalTime(random.commonTime()) }
      let (a, b, c) = (times[0], times[1], times[2])
      return a + b == b + a && (a + b) + c == a + (b + c) && (a + b) - b == a
        && (a < b) == (b - a > .zero) && !(a < b && b < a)
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `media times convert exactly to rational times and back`() {
    let failed = forSeededCases { random in
      let time = MediaTime(value: random.value(), timescale: random.timescale())
      let back = MediaTime(RationalTime(time))
      return back == time && !back.hasBeenRounded
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
    #expect(RationalTime(MediaTime(value: 3, timescale: 6, epoch: 4)).denominator == 2)
  }

  @Test func `a rational time too fine for a timescale is rounded at 28,224,000 and marked`() {
    let fine = RationalTime(frames: 1, rate: 48_017) + RationalTime(frames: 1, rate: 44_101)
    // The product of the two rates is 2,117,597,717; twice it is more than an Int32 holds.
    #expect(MediaTime(fine).fields == .init(92_118, 2_117_597_717))
    let finer = fine + RationalTime(frames: 1, rate: 2)
    #expect(MediaTime(finer).fields == .init(14_113_228, 28_224_000, [.valid, .hasBeenRounded]))
    let exact = MediaTime(RationalTime(frames: 1, rate: .max))
    #expect(exact.fields == .init(0, 28_224_000, [.valid, .hasBeenRounded]))
    let fits = MediaTime(RationalTime(frames: 1, rate: Int(Int32.max)))
    #expect(fits.fields == .init(1, .max))
  }

  @Test func `a rational time too large for a timescale is rounded or infinite`() {
    let large = RationalTime(frames: .max, rate: 1)
    #expect(MediaTime(large).fields == .init(.max, 1))
    #expect(MediaTime(large + RationalTime(frames: 1, rate: 2)).isPositiveInfinity)
    #expect(MediaTime(large + large).isPositiveInfinity)
    #expect(MediaTime(RationalTime.zero - large - large).isNegativeInfinity)
    let half = RationalTime(frames: .max / 2, rate: 1) + RationalTime(frames: 1, rate: 48_000)
    #expect(MediaTime(half).fields == .init(.max - 1, 2, [.valid, .hasBeenRounded]))
  }

  @Test func `times that are no numbers, and rates that are not positive, are the caller's fault`()
    async
  {
    let position = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = RationalTime(MediaTime.indefinite) }
    #expect(position.says("a position of {INDEFINITE}; numbers are permitted"))
    let length = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = RationalTime(frames: 1, rate: 0) }
    #expect(length.says("a rate of 0 Hz; 1 and more are permitted"))
    let place = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = RationalTime.zero.frames(at: 0) }
    #expect(place.says("a rate of 0 Hz; 1 and more are permitted"))
  }
}
