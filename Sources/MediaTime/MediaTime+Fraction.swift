// SPDX-License-Identifier: Apache-2.0

extension MediaTime {
  /// `numerator` / `denominator` seconds, exact if a timescale for it exists.
  ///
  /// At `timescale` if it is exact there; else in lowest terms; else the fraction nearest to it, of
  /// all whose value and timescale fit, marked as rounded.
  ///
  /// - Precondition: `denominator` is positive; both are below 2^126.
  init(
    closest numerator: Int128, over denominator: Int128, preferring timescale: Int32, epoch: Int64,
    rounded: Bool
  ) {
    let isNegative = numerator < 0
    let flags: Flags = rounded ? [.valid, .hasBeenRounded] : .valid
    let divisor = Int128(greatestCommonDivisor(numerator.magnitude, denominator.magnitude))
    let (reduced, scale) = (numerator / divisor, denominator / divisor)
    let (steps, rest) = Int128(timescale).quotientAndRemainder(dividingBy: scale)
    let (product, overflows) = reduced.multipliedReportingOverflow(by: steps)
    if rest == 0, !overflows, let value = Int64(exactly: product) {
      self.init(value: value, timescale: timescale, flags: flags, epoch: epoch)
      return
    }
    if let value = Int64(exactly: reduced), let timescale = Int32(exactly: scale) {
      self.init(value: value, timescale: timescale, flags: flags, epoch: epoch)
      return
    }
    let whole = reduced.magnitude / scale.magnitude
    let largest = UInt128(Int64.max)
    guard whole <= largest else {
      self = .infinity(negative: isNegative)
      return
    }
    // No fraction near x is beyond floor(x) + 1, so with this limit its value fits.
    let limit = min(UInt128(Self.maximumTimescale), max(1, largest / (whole + 1)))
    let nearest = Self.nearestFraction(
      to: reduced.magnitude, over: scale.magnitude, maximumDenominator: limit)
    guard nearest.numerator <= largest else {
      self = .infinity(negative: isNegative)
      return
    }
    let value = Int64(nearest.numerator)
    self.init(
      value: isNegative ? -value : value, timescale: Int32(nearest.denominator),
      flags: flags.union(.hasBeenRounded), epoch: epoch)
  }

  /// The fraction nearest to `numerator` / `denominator` with a denominator within the limit.
  ///
  /// The last convergent of the continued fraction that is within the limit, or the last
  /// semiconvergent after it, whichever is nearer; the larger if both are equally near.
  private static func nearestFraction(
    to numerator: UInt128, over denominator: UInt128, maximumDenominator limit: UInt128
  ) -> (numerator: UInt128, denominator: UInt128) {
    var previous: (numerator: UInt128, denominator: UInt128) = (0, 1)
    var current: (numerator: UInt128, denominator: UInt128) = (1, 0)
    var (dividend, divisor) = (numerator, denominator)
    while divisor != 0 {
      let (term, rest) = dividend.quotientAndRemainder(dividingBy: divisor)
      if current.denominator > 0, term > (limit - previous.denominator) / current.denominator {
        break
      }
      (previous, current) = (
        current,
        (
          previous.numerator + term * current.numerator,
          previous.denominator + term * current.denominator
        )
      )
      (dividend, divisor) = (divisor, rest)
    }
    if divisor == 0 { return current }
    let steps = (limit - previous.denominator) / current.denominator
    let between = (
      numerator: previous.numerator + steps * current.numerator,
      denominator: previous.denominator + steps * current.denominator
    )
    // The two are 1 / (current · between) apart, and `current` is off by
    // divisor / (current · denominator).
    let (twice, whole) = (2 * divisor * between.denominator, denominator)
    if twice != whole { return twice < whole ? current : between }
    let currentIsLarger =
      current.numerator * between.denominator > between.numerator * current.denominator
    return currentIsLarger ? current : between
  }
}
