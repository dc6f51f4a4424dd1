// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Time as clocks add it up: whole units of 1/441,000,000,000 of a second, 2.3 ps.
///
/// A nanosecond is 441 of them and a tick of media time 15,625, so that neither is ever rounded. In
/// 128 bits; times beyond 2^72 units, 339 years, count as those.
enum TimeUnits {
  static let perSecond: Int128 = 441_000_000_000
  static let perNanosecond: Int128 = 441
  static let perTick: Int128 = 15_625
  private static let furthest: Int128 = 1 << 72

  static func clamped(_ units: Int128) -> Int128 { min(max(units, -furthest), furthest) }

  static func units(ofNanoseconds time: UInt64) -> Int128 {
    clamped(Int128(time) * perNanosecond)
  }

  static func units(ofTicks ticks: Int64) -> Int128 { clamped(Int128(ticks) * perTick) }

  /// The unit nearest to `time`; halves go away from zero.
  ///
  /// - Precondition: `time` is numeric.
  static func units(_ time: MediaTime) -> Int128 {
    let scaled = Int128(time.value) * perSecond
    let half = Int128(time.timescale) / 2
    return clamped((scaled + (scaled < 0 ? -half : half)) / Int128(time.timescale))
  }

  /// The nanosecond, or the tick, that `units` falls into.
  static func floor(_ units: Int128, by length: Int128) -> Int64 {
    let (quotient, rest) = units.quotientAndRemainder(dividingBy: length)
    return Int64(clamping: rest < 0 ? quotient - 1 : quotient)
  }

  /// `units` in whole nanoseconds, rounded down.
  static func mediaTime(_ units: Int128) -> MediaTime {
    MediaTime(value: floor(units, by: perNanosecond), timescale: 1_000_000_000)
  }
}
