// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// A position on the engine's own timeline: an exact fraction of seconds.
///
/// `MediaTime` is the time of the public interface, with 64 bits and CMTime's rounding. Item starts
/// are summed here instead, with 128 bits over a 63-bit denominator, so that a playlist of any
/// common rates never rounds: the rates that divide 28,224,000 share one denominator for ever.
/// Should the common denominator of stranger rates outgrow 2^62, the sum is rounded to
/// 1/`RationalTime.fallbackDenominator` of a second, 30 femtoseconds: a year of one-second items
/// is then off by a microsecond at most.
public struct RationalTime: Hashable, Sendable {
  /// Seconds times `denominator`.
  public let numerator: Int128
  /// Always positive and in lowest terms with `numerator`.
  public let denominator: Int64

  /// Seconds, rounded to the nearest number of 64 bits but for its last bit.
  public var seconds: Double { Double(numerator) / Double(denominator) }

  /// 28,224,000 · 2^20, a multiple of every common sample rate.
  public static let fallbackDenominator: Int64 = 28_224_000 << 20

  /// The start of the timeline.
  public static let zero = RationalTime(frames: 0, rate: 1)

  /// The length of `frames` frames at `rate` frames per second.
  ///
  /// - Precondition: `rate` is positive.
  public init(frames: Int64, rate: Int) {
    require(rate > 0, "a rate of \(rate) Hz; 1 and more are permitted")
    self.init(numerator: Int128(frames), denominator: Int128(rate))
  }

  /// `numerator` / `denominator` seconds, in lowest terms.
  ///
  /// - Precondition: `denominator` is positive and its reduced form fits 62 bits.
  init(numerator: Int128, denominator: Int128) {
    let divisor = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    if divisor == 1 {
      self.init(reduced: numerator, over: Int64(denominator))
    } else {
      self.init(
        reduced: numerator / Int128(divisor), over: Int64(denominator / Int128(divisor)))
    }
  }

  private init(reduced numerator: Int128, over denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The nearest frame boundary at `rate` frames per second; halves go away from zero.
  ///
  /// - Precondition: `rate` is positive and the result fits 64 bits.
  public func frames(at rate: Int) -> Int64 {
    require(rate > 0, "a rate of \(rate) Hz; 1 and more are permitted")
    let scaled = numerator * Int128(rate)
    // denominator is in lowest terms; an odd one cannot be hit halfway, so `/ 2` loses nothing.
    let half = denominator / 2
    // 64-bit division is several times faster, and at 192 kHz enough for 19 days in units of
    // 1/28,224,000 second.
    if let scaled = Int64(exactly: scaled) {
      let (nudged, overflows) = scaled.addingReportingOverflow(scaled < 0 ? -half : half)
      if !overflows { return nudged / denominator }
    }
    return Int64(clamping: (scaled + Int128(scaled < 0 ? -half : half)) / Int128(denominator))
  }

  /// Returns the distance by which the ideal time lies past `frames(at: rate)`, in frames: -0.5...0.5.
  public func phase(at rate: Int) -> Double {
    let scaled = numerator * Int128(rate)
    let rest = scaled - Int128(frames(at: rate)) * Int128(denominator)
    return Double(rest) / Double(denominator)
  }

  /// The exact sum, or the nearest fallback fraction (see the type's description).
  public static func + (a: RationalTime, b: RationalTime) -> RationalTime {
    if a.denominator == b.denominator {
      return RationalTime(
        numerator: a.numerator + b.numerator, denominator: Int128(a.denominator))
    }
    let divisor = Int128(
      greatestCommonDivisor(a.denominator.magnitude, b.denominator.magnitude))
    let scale = Int128(b.denominator) / divisor
    let common = Int128(a.denominator) * scale
    if common < 1 << 62 {
      let sum = a.numerator * scale + b.numerator * (Int128(a.denominator) / divisor)
      return RationalTime(numerator: sum, denominator: common)
    }
    let sum = a.rounded(to: fallbackDenominator) + b.rounded(to: fallbackDenominator)
    return RationalTime(numerator: sum, denominator: Int128(fallbackDenominator))
  }

  /// The exact difference, or the nearest fallback fraction (see the type's description).
  public static func - (a: RationalTime, b: RationalTime) -> RationalTime {
    a + RationalTime(reduced: -b.numerator, over: b.denominator)
  }

  private func rounded(to scale: Int64) -> Int128 {
    let whole = numerator / Int128(denominator)
    let rest = (numerator % Int128(denominator)) * Int128(scale)
    let half = Int128(denominator) / 2
    return whole * Int128(scale) + (rest + (rest < 0 ? -half : half)) / Int128(denominator)
  }
}

extension RationalTime: Comparable {
  /// Exact, by whole seconds and then by cross multiplication of what is left.
  ///
  /// The parts of a second keep below 2^126; whole numerators of two strange denominators would
  /// not.
  public static func < (a: RationalTime, b: RationalTime) -> Bool {
    if a.denominator == b.denominator { return a.numerator < b.numerator }
    let (wholeA, restA) = a.numerator.quotientAndRemainder(dividingBy: Int128(a.denominator))
    let (wholeB, restB) = b.numerator.quotientAndRemainder(dividingBy: Int128(b.denominator))
    if wholeA != wholeB { return wholeA < wholeB }
    return restA * Int128(b.denominator) < restB * Int128(a.denominator)
  }
}
