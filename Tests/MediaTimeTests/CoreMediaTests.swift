// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Testing

private let rounded: MediaTime.Flags = [.valid, .hasBeenRounded]

private func time(_ value: Int64, _ timescale: Int32, epoch: Int64 = 0) -> MediaTime {
  MediaTime(value: value, timescale: timescale, epoch: epoch)
}

/// Results that Apple's CoreMedia has been observed to give, and where this type differs by intent.
@Suite struct CoreMediaTests {
  @Test func `zero times a ratio keeps its timescale`() {
    #expect(time(0, 48_000).multiplied(by: 2, dividedBy: 3).fields == .init(0, 48_000))
    #expect(time(7, 48_000).multiplied(by: 0, dividedBy: 3).fields == .init(0, 48_000))
    #expect(time(7, 48_000).multiplied(by: 0, dividedBy: -3).fields == .init(0, 48_000))
    #expect(time(0, 2, epoch: 3).multiplied(by: 5, dividedBy: 4).fields == .init(0, 2, epoch: 3))
  }

  @Test func `a ratio is reduced before it is applied, and the result is not`() {
    #expect(time(1, 2).multiplied(by: 2, dividedBy: 4).fields == .init(1, 4))
    #expect(time(2, 2).multiplied(by: -3, dividedBy: 6).fields == .init(-2, 4))
    #expect(time(1, 3).multiplied(by: 3, dividedBy: 1).fields == .init(3, 3))
    #expect(time(1, .max).multiplied(by: .max, dividedBy: 1).fields == .init(2_147_483_647, .max))
    #expect(
      time(5, 48_000).multiplied(by: 48_000, dividedBy: 48_000).fields == .init(5, 48_000))
    #expect(time(1, 2).multiplied(by: .min, dividedBy: .min).fields == .init(1, 2))
  }

  @Test func `a value that does not fit is reduced with its timescale`() {
    #expect(
      time(1 << 62, 1 << 30).multiplied(by: 3, dividedBy: 1).fields == .init(12_884_901_888, 1))
    #expect(
      time(6_148_914_691_236_517_205, 1_000_000_000).multiplied(by: 3, dividedBy: 1).fields
        == .init(3_689_348_814_741_910_323, 200_000_000))
    #expect(time(1 << 62, 1).multiplied(by: 4, dividedBy: 1).isPositiveInfinity)
  }

  @Test func `a half in whole seconds goes away from zero`() {
    let half = time(4_611_686_018_427_387_903, 1)
    #expect(
      half.multiplied(by: 3, dividedBy: 2).fields == .init(6_917_529_027_641_081_855, 1, rounded))
    #expect(
      half.multiplied(by: 3, dividedBy: -2).fields
        == .init(-6_917_529_027_641_081_855, 1, rounded))
    #expect(half.multiplied(by: 2, dividedBy: 1).fields == .init(9_223_372_036_854_775_806, 1))
  }

  @Test func `the largest and the smallest value stay numbers, unlike Apple's`() {
    #expect(time(.max, 1).multiplied(by: 1, dividedBy: 1).fields == .init(.max, 1))
    #expect(time(.min, 1).multiplied(by: 1, dividedBy: 1).fields == .init(.min, 1))
    #expect(time(.max, 3).multiplied(by: 1, dividedBy: 1).fields == .init(.max, 3))
  }

  @Test func `the exact sum is rounded once, unlike Apple's`() {
    // There 4,611,686,018,427,387,904 - 3,074,457,345,618,258,602 s, each rounded.
    #expect((time(.max, 2) - time(.max, 3)).fields == .init(.max, 6))
    // 2^63 - 1 over 2^31 - 1 and 2^63 - 2 over 2^31 - 2, in units of 10^-9 s: 4,294,967,298.0 and
    // 4,294,967,300.0 s, where Apple's each have a rounding of their own.
    let (a, b) = (time(.max, .max), time(.max - 1, .max - 1))
    let exact = RationalTime(a) - RationalTime(b)
    let scaled = exact.numerator * 1_000_000_000
    let half = Int128(exact.denominator) / 2
    let nearest = Int64((scaled - half) / Int128(exact.denominator))
    #expect((a - b).fields == .init(nearest, 1_000_000_000, rounded))
  }
}
