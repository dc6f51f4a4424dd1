// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Testing

private let rounded: MediaTime.Flags = [.valid, .hasBeenRounded]

private func time(_ value: Int64, _ timescale: Int32, epoch: Int64 = 0) -> MediaTime {
  MediaTime(value: value, timescale: timescale, epoch: epoch)
}

@Suite struct ArithmeticTests {
  @Test func `equal timescales are kept, different ones give the least common multiple`() {
    #expect((time(1, 48_000) + time(2, 48_000)).fields == .init(3, 48_000))
    #expect((time(5, .max) + time(2, .max)).fields == .init(7, .max))
    #expect((time(1, 2) + time(1, 3)).fields == .init(5, 6))
    #expect((time(1, 4) - time(1, 6)).fields == .init(1, 12))
    #expect((time(1, 44_100) + time(1, 48_000)).fields == .init(160 + 147, 7_056_000))
    var sum = time(1, 2)
    sum += time(1, 2)
    sum -= time(1, 4)
    #expect(sum.fields == .init(3, 4))
  }

  @Test func `sums over common rates never round`() {
    for a in commonRates {
      #expect(MediaTime.commonRatesTimescale % a == 0, "\(a)")
      for b in commonRates {
        // Odd frame counts of an hour, so that nothing cancels by luck.
        let (left, right) = (time(Int64(a) * 3600 + 1, a), time(Int64(b) * 3600 - 1, b))
        for result in [left + right, left - right] {
          #expect(!result.hasBeenRounded, "\(a) and \(b)")
          #expect(MediaTime.commonRatesTimescale % result.timescale == 0)
        }
        #expect((left + right) - right == left)
        #expect(RationalTime(left + right) == RationalTime(left) + RationalTime(right))
      }
    }
  }

  @Test func `a common multiple above 10^9 is rounded there, and marked if it matters`() {
    // 999,999,937 and 1,000,000,007 are primes.
    let sum = time(1, 999_999_937) + time(1, 1_000_000_007)
    #expect(sum.fields == .init(2, 1_000_000_000, rounded))
    let whole = time(999_999_937, 999_999_937) + time(1_000_000_007, 1_000_000_007)
    #expect(whole.fields == .init(2_000_000_000, 1_000_000_000))
    // The least common multiple of 2^20 and 3^8 is 6.9 · 10^9; 1/2^20 + 1/3^8 is 153,369.46 ns.
    #expect((time(1, 1 << 20) + time(1, 6561)).fields == .init(153_369, 1_000_000_000, rounded))
  }

  @Test func `a mark on an operand passes to the result`() {
    let marked = MediaTime(value: 1, timescale: 2, flags: rounded, epoch: 0)
    #expect((marked + time(1, 2)).fields == .init(2, 2, rounded))
    #expect((time(1, 3) - marked).fields == .init(-1, 6, rounded))
    #expect((marked * 2).fields == .init(2, 2, rounded))
    #expect(marked.multiplied(byFloat64: 0.5).fields == .init(16_384, 65_536, rounded))
    #expect(marked.multiplied(by: 1, dividedBy: 2).fields == .init(1, 4, rounded))
    #expect((MediaTime.positiveInfinity + marked).hasBeenRounded == false)
  }

  @Test func `a value that overflows halves the timescale, and at 1 becomes infinite`() {
    // (2^64 - 2) / 2 seconds are exactly Int64.max.
    #expect((time(.max, 2) + time(.max, 2)).fields == .init(.max, 1))
    #expect((time(.max, 4) + time(.max, 4)).fields == .init(.max, 2))
    #expect((time(.max, 4) + time(.max - 1, 4)).fields == .init(.max, 2, rounded))
    #expect((time(.max, 1) + time(.max, 1)).isPositiveInfinity)
    #expect((time(.min, 1) + time(.min, 1)).isNegativeInfinity)
    #expect((time(.max, 1) - time(.min, 1)).isPositiveInfinity)
    #expect((time(.min, 1) - time(.max, 1)).isNegativeInfinity)
    // 3 halves to 1.
    #expect((time(.max, 3) + time(1, 3)).fields == .init(3_074_457_345_618_258_603, 1, rounded))
    // An exact sum whose parts would overflow at the common scale.
    #expect((time(.max, 1) - time(.max, 1) + time(1, 2)).fields == .init(1, 2))
  }

  @Test func `invalid wins, opposite infinities cancel to invalid, infinity beats indefinite`() {
    let special: [MediaTime] = [
      .zero, .invalid, .indefinite, .positiveInfinity, .negativeInfinity,
    ]
    // Rows and columns as above: n number, x invalid, i indefinite, + and - infinities.
    let sums = ["nxi+-", "xxxxx", "ixi+-", "+x++x", "-x-x-"]
    let differences = ["nxi-+", "xxxxx", "ixi-+", "+x+x+", "-x--x"]
    func letter(_ time: MediaTime) -> Character {
      if !time.isValid { return "x" }
      if time.isNumeric { return "n" }
      return time.isIndefinite ? "i" : time.isPositiveInfinity ? "+" : "-"
    }
    for (row, a) in special.enumerated() {
      #expect(String(special.map { letter(a + $0) }) == sums[row], "\(a) + ...")
      #expect(String(special.map { letter(a - $0) }) == differences[row], "\(a) - ...")
    }
  }

  @Test func `epoch 0 adopts the other epoch, equal epochs give 0, different ones invalid`() {
    let (three, four) = (time(2, 1, epoch: 3), time(4, 1, epoch: 4))
    #expect((three + time(1, 1)).fields == .init(3, 1, epoch: 3))
    #expect((time(1, 1) + three).fields == .init(3, 1, epoch: 3))
    #expect((three - time(1, 1)).fields == .init(1, 1, epoch: 3))
    #expect((three + three).fields == .init(4, 1))
    #expect((three - time(5, 1, epoch: 3)).fields == .init(-3, 1))
    #expect((three + four).fields == MediaTime.invalid.fields)
    #expect((three - four).fields == MediaTime.invalid.fields)
    // The epoch of an infinity is ignored.
    let infinity = MediaTime(value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 4)
    #expect((three + infinity).fields == MediaTime.positiveInfinity.fields)
  }

  @Test func `a whole multiple keeps the timescale, or halves it, or is infinite`() {
    #expect((time(7, 44_100) * 3).fields == .init(21, 44_100))
    #expect((time(7, 44_100, epoch: 2) * -3).fields == .init(-21, 44_100, epoch: 2))
    #expect((time(7, 44_100) * 0).fields == .init(0, 44_100))
    #expect((time(.max, 4) * 2).fields == .init(.max, 2))
    #expect((time(.max, 4) * 3).fields == .init(6_917_529_027_641_081_855, 1, rounded))
    #expect((time(.max, 1) * 2).isPositiveInfinity)
    #expect((time(.max, 1) * -2).isNegativeInfinity)
    #expect((time(.min, 1) * -1).isPositiveInfinity)
    #expect((time(.min, 2) * -1).fields == .init(1 << 62, 1))
  }

  @Test func `multiples of times that are no numbers`() {
    #expect((MediaTime.positiveInfinity * 2).isPositiveInfinity)
    #expect((MediaTime.positiveInfinity * -2).isNegativeInfinity)
    #expect(MediaTime.negativeInfinity.multiplied(byFloat64: -2.5).isPositiveInfinity)
    #expect(!(MediaTime.positiveInfinity * 0).isValid)
    #expect(!MediaTime.negativeInfinity.multiplied(byFloat64: 0.0).isValid)
    #expect((MediaTime.indefinite * 0).isIndefinite)
    #expect(MediaTime.indefinite.multiplied(byFloat64: -1.5).isIndefinite)
    #expect(!(MediaTime.invalid * 2).isValid)
    #expect(!MediaTime.invalid.multiplied(byFloat64: 2.5).isValid)
    #expect(MediaTime.indefinite.multiplied(by: 1, dividedBy: 0).isIndefinite)
    #expect(MediaTime.positiveInfinity.multiplied(by: -1, dividedBy: 2).isNegativeInfinity)
    #expect(MediaTime.negativeInfinity.multiplied(by: -1, dividedBy: 2).isPositiveInfinity)
    #expect(!MediaTime.positiveInfinity.multiplied(by: 0, dividedBy: 2).isValid)
    #expect(!MediaTime.invalid.multiplied(by: 1, dividedBy: 1).isValid)
  }

  @Test func `a float multiple is exact at the doubled timescale if it can be`() {
    #expect(time(1, 2).multiplied(byFloat64: 1.5).fields == .init(49_152, 65_536))
    #expect(time(3, 44_100).multiplied(byFloat64: 0.5).fields == .init(3, 88_200))
    #expect(
      time(3, 96_000, epoch: 4).multiplied(byFloat64: 2.0).fields == .init(6, 96_000, epoch: 4))
    #expect(time(-3, 96_000).multiplied(byFloat64: -2.0).fields == .init(6, 96_000))
    #expect(time(0, 1).multiplied(byFloat64: 0.3).fields == .init(0, 65_536))
    #expect(time(5, 1).multiplied(byFloat64: 0.0).fields == .init(0, 65_536))
    #expect(time(.max, 1).multiplied(byFloat64: 1.0).fields == .init(.max, 1))
    #expect(time(1, .max).multiplied(byFloat64: 4.0).fields == .init(4, .max))
  }

  @Test func `a float multiple that is not exact is rounded at 10^9 and marked`() {
    #expect(
      time(1, 1).multiplied(byFloat64: 0.1).fields == .init(100_000_000, 1_000_000_000, rounded))
    #expect(
      time(-1, 1).multiplied(byFloat64: 0.1).fields == .init(-100_000_000, 1_000_000_000, rounded))
    #expect(
      time(2, 3).multiplied(byFloat64: 0.1).fields == .init(66_666_667, 1_000_000_000, rounded))
    #expect(
      time(1, 1).multiplied(byFloat64: Double.leastNonzeroMagnitude).fields
        == .init(0, 1_000_000_000, rounded))
    // 2^-10 of 1/1,953,125 s is half a nanosecond; 2^-11 of it a quarter.
    #expect(
      time(1, 1_953_125).multiplied(byFloat64: 0x1p-10).fields
        == .init(1, 2_000_000_000 / 2, rounded))
    #expect(
      time(-1, 1_953_125).multiplied(byFloat64: 0x1p-10).fields == .init(-1, 1_000_000_000, rounded)
    )
    #expect(
      time(1, 1_953_125).multiplied(byFloat64: 0x1p-11).fields == .init(0, 1_000_000_000, rounded))
  }

  @Test func `a float multiple that overflows halves the timescale, then is infinite`() {
    #expect(time(.max, 1).multiplied(byFloat64: 1.5).isPositiveInfinity)
    #expect(time(.max, 1).multiplied(byFloat64: -1.5).isNegativeInfinity)
    #expect(time(1, 1).multiplied(byFloat64: 0x1p62).fields == .init(1 << 62, 1))
    #expect(time(1, 1).multiplied(byFloat64: -0x1p63).fields == .init(.min, 1))
    #expect(time(1, 1).multiplied(byFloat64: 0x1p63).isPositiveInfinity)
    #expect(time(1, .max).multiplied(byFloat64: Double.greatestFiniteMagnitude).isPositiveInfinity)
    #expect(time(1, 1).multiplied(byFloat64: Double.infinity).isPositiveInfinity)
    #expect(time(-1, 1).multiplied(byFloat64: Double.infinity).isNegativeInfinity)
    #expect(!time(0, 1).multiplied(byFloat64: Double.infinity).isValid)
    #expect(!time(1, 1).multiplied(byFloat64: Double.nan).isValid)
  }

  @Test func `a ratio keeps the exact fraction, unreduced if it fits`() {
    #expect(time(1, 2).multiplied(by: 2, dividedBy: 3).fields == .init(2, 6))
    #expect(time(1, 2).multiplied(by: 2, dividedBy: -3).fields == .init(-2, 6))
    #expect(time(-1, 2).multiplied(by: -2, dividedBy: 3).fields == .init(2, 6))
    // 44,100 · 100,000 does not fit a timescale; 6,300 · 100,000 / 7 does.
    #expect(
      time(7, 44_100).multiplied(by: 1, dividedBy: 100_000).fields == .init(1, 630_000_000))
    #expect(time(.max, 3).multiplied(by: 6, dividedBy: 2).fields == .init(.max, 1))
    #expect(time(.min, 1).multiplied(by: 1, dividedBy: .min).fields == .init(1 << 32, 1))
    #expect(time(5, 48_000).multiplied(by: 48_000, dividedBy: 48_000) == time(5, 48_000))
  }

  @Test func `a ratio that fits no timescale is the nearest that does, and marked`() {
    // 1 / (48,000 · 99,991) s is nearer to 0 than to 1/(2^31 - 1) s.
    #expect(time(1, 48_000).multiplied(by: 1, dividedBy: 99_991).fields == .init(0, 1, rounded))
    #expect(time(2, 2).multiplied(by: 1, dividedBy: .max).fields == .init(1, .max))
    #expect(
      time(3, .max).multiplied(by: 1, dividedBy: 2).fields == .init(1, 1_431_655_765, rounded))
    #expect(time(.max, 1).multiplied(by: 3, dividedBy: 2).isPositiveInfinity)
    #expect(time(.max, 1).multiplied(by: 3, dividedBy: -2).isNegativeInfinity)
  }

  @Test func `a ratio over zero is infinite, or invalid if the product is zero too`() {
    #expect(time(1, 2).multiplied(by: 1, dividedBy: 0).isPositiveInfinity)
    #expect(time(1, 2).multiplied(by: -1, dividedBy: 0).isNegativeInfinity)
    #expect(time(-1, 2).multiplied(by: -1, dividedBy: 0).isPositiveInfinity)
    #expect(!time(0, 2).multiplied(by: 1, dividedBy: 0).isValid)
    #expect(!time(1, 2).multiplied(by: 0, dividedBy: 0).isValid)
  }

  @Test func `the absolute value drops the sign`() {
    #expect(time(-3, 4, epoch: 2).absoluteValue.fields == .init(3, 4, epoch: 2))
    #expect(time(3, 4).absoluteValue.fields == .init(3, 4))
    #expect(MediaTime.negativeInfinity.absoluteValue.isPositiveInfinity)
    #expect(MediaTime.positiveInfinity.absoluteValue.isPositiveInfinity)
    #expect(MediaTime.indefinite.absoluteValue.isIndefinite)
    #expect(!MediaTime.invalid.absoluteValue.isValid)
    #expect(time(.min, 2).absoluteValue.fields == .init(1 << 62, 1))
    #expect(time(.min, 1).absoluteValue.isPositiveInfinity)
  }
}
