// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// Time that runs with its source: time = anchor + rate × source time since the anchor.
///
/// A pure value; all times are `TimeUnits`. A rate is a `Double` and counts as the binary fraction
/// that it is: the product with the elapsed time is exact in 128 bits and rounded once, to the unit.
/// Nothing adds up, however long it runs: 0.1, which is no binary fraction, is off by 5.5e-17 of
/// itself, a nanosecond in half a year.
struct TimebaseState: Equatable {
  /// Rates beyond would leave 128 bits after 300 years.
  static let highestRate = 1_048_576.0

  private(set) var anchor: Int128 = 0
  private(set) var sourceAnchor: Int128 = 0
  private(set) var rate = 0.0

  func time(atSource source: Int128) -> Int128 {
    TimeUnits.clamped(anchor + Self.product(source - sourceAnchor, rate))
  }

  /// Returns the moment of the source at which `time` is reached, to a nanosecond in 52 days; nil at a standstill.
  func source(ofTime time: Int128) -> Int128? {
    guard rate != 0 else { return nil }
    let distance = Double(time - anchor) / rate
    // A rate near 0 takes for ever.
    guard abs(distance) < 0x1p72 else { return nil }
    return TimeUnits.clamped(sourceAnchor + Int128(distance.rounded(.up)))
  }

  /// Time goes on at another rate from where it is.
  mutating func setRate(_ rate: Double, atSource source: Int128) {
    set(rate: rate, time: time(atSource: source), atSource: source)
  }

  /// `time` is when the source is at `source`, before or later too.
  mutating func set(rate: Double, time: Int128, atSource source: Int128) {
    require(
      rate.isFinite && abs(rate) <= Self.highestRate,
      "a timebase's rate of \(rate); 0...\(Self.highestRate) either way are permitted")
    (anchor, sourceAnchor, self.rate) = (TimeUnits.clamped(time), source, rate)
  }

  /// `elapsed` × `rate`, to the nearest unit; halves go up.
  ///
  /// 2^74 units times a significand below 2^53 stay below 2^127.
  private static func product(_ elapsed: Int128, _ rate: Double) -> Int128 {
    guard rate.isNormal else { return 0 }
    let significand = Int128(rate.significandBitPattern | 1 << 52)
    let exact = elapsed * (rate < 0 ? -significand : significand)
    let shift = 52 - Int(rate.exponent)
    guard shift < 127 else { return 0 }
    return (exact + (1 << (shift - 1))) >> shift
  }
}
