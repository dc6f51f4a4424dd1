// SPDX-License-Identifier: Apache-2.0

extension MediaTime {
  /// The rounding of a value that falls between two units; the raw values are CMTimeRoundingMethod's.
  public enum RoundingMethod: UInt32, CaseIterable, Hashable, Codable, Sendable {
    /// To the nearest unit; halves go away from zero.
    case roundHalfAwayFromZero = 1
    /// To the unit nearer to zero.
    case roundTowardZero = 2
    /// To the unit farther from zero.
    case roundAwayFromZero = 3
    /// Toward zero when the timescale shrinks, away from zero when it grows.
    ///
    /// A negative value is never rounded to zero, but to -1.
    case quickTime = 4
    /// To the later unit.
    case roundTowardPositiveInfinity = 5
    /// To the earlier unit.
    case roundTowardNegativeInfinity = 6

    /// `roundHalfAwayFromZero`, which arithmetic uses throughout.
    public static let `default` = RoundingMethod.roundHalfAwayFromZero

    /// `numerator` / `denominator` as a whole number, and whether that is exact.
    ///
    /// - Precondition: `denominator` is positive and below 2^126.
    func divide(
      _ numerator: Int128, by denominator: Int128, growing: Bool
    ) -> (quotient: Int128, isExact: Bool) {
      let (near, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
      if rest == 0 { return (near, true) }
      let isNegative = numerator < 0
      let far = isNegative ? near - 1 : near + 1
      let goesFar =
        switch self {
        case .roundHalfAwayFromZero: rest.magnitude * 2 >= denominator.magnitude
        case .roundTowardZero: false
        case .roundAwayFromZero: true
        case .quickTime: growing || (isNegative && near == 0)
        case .roundTowardPositiveInfinity: !isNegative
        case .roundTowardNegativeInfinity: isNegative
        }
      return (goesFar ? far : near, false)
    }
  }

  /// The same time in units of 1/`newTimescale` second.
  ///
  /// The result is marked as rounded if its value differs from this time's or this time was marked.
  /// A value that does not fit 64 bits becomes an infinity. A time that is no number is returned as
  /// it is; a number with a `newTimescale` that is not positive becomes invalid.
  /// Corresponds to `CMTimeConvertScale`.
  public func convertScale(
    _ newTimescale: Int32, method: RoundingMethod = .default
  ) -> MediaTime {
    guard isNumeric, newTimescale != timescale else { return self }
    guard newTimescale > 0 else { return .invalid }
    let (quotient, isExact) = method.divide(
      Int128(value) * Int128(newTimescale), by: Int128(timescale),
      growing: newTimescale > timescale)
    guard let newValue = Int64(exactly: quotient) else {
      return .infinity(negative: value < 0)
    }
    return MediaTime(
      value: newValue, timescale: newTimescale,
      flags: isExact ? flags : flags.union(.hasBeenRounded), epoch: epoch)
  }
}
