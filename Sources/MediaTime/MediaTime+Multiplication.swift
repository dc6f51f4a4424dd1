// SPDX-License-Identifier: Apache-2.0

extension MediaTime {
  /// The time `multiplier` times over, at the same timescale, `CMTimeMultiply`.
  ///
  /// If the value does not fit 64 bits the timescale is halved until it does; if it does not fit at
  /// 1 either, the result is an infinity. An infinity keeps or changes its sign; times 0 it has no
  /// value and gives invalid. Invalid and indefinite stay.
  public static func * (time: MediaTime, multiplier: Int32) -> MediaTime {
    guard time.isNumeric else {
      return time.impliedProduct(isZero: multiplier == 0, isNegative: multiplier < 0)
    }
    return MediaTime(
      nearest: Int128(time.value) * Int128(multiplier), over: Int128(time.timescale),
      timescale: time.timescale, epoch: time.epoch, rounded: time.hasBeenRounded)
  }

  /// The time multiplied by `multiplier` and divided by `divisor`, `CMTimeMultiplyByRatio`.
  ///
  /// `multiplier` and `divisor` are reduced first. The result is the exact fraction, at
  /// `timescale` · `divisor` or in lowest terms, if it fits; else the fraction nearest to it that
  /// does, of two equally near the one farther from zero, marked as rounded.
  /// Zero keeps its timescale. If `divisor` is 0 the result is an infinity of the sign of the
  /// product, or invalid if the product is 0 too. Times that are no numbers behave as under `*`.
  ///
  /// Apple's library differs, from this and from its documentation, in two ways: an exact result of
  /// `Int64.min` or `Int64.max` becomes infinite there, and a result that fits no timescale is
  /// given in whole seconds.
  public func multiplied(by multiplier: Int32, dividedBy divisor: Int32) -> MediaTime {
    guard isNumeric else {
      return impliedProduct(isZero: multiplier == 0, isNegative: (multiplier < 0) != (divisor < 0))
    }
    let isZero = value == 0 || multiplier == 0
    if divisor == 0 {
      return isZero ? .invalid : .infinity(negative: (value < 0) != (multiplier < 0))
    }
    if isZero { return MediaTime(value: 0, timescale: timescale, flags: flags, epoch: epoch) }
    let common = Int64(
      greatestCommonDivisor(UInt64(multiplier.magnitude), UInt64(divisor.magnitude)))
    var numerator = Int128(value) * Int128(Int64(multiplier) / common)
    if divisor < 0 { numerator = -numerator }
    let denominator = Int128(timescale) * Int128(Int64(divisor.magnitude) / common)
    if let value = Int64(exactly: numerator), let timescale = Int32(exactly: denominator) {
      return MediaTime(value: value, timescale: timescale, flags: flags, epoch: epoch)
    }
    return MediaTime(
      closest: numerator, over: denominator, preferring: timescale, epoch: epoch,
      rounded: hasBeenRounded)
  }

  /// The time multiplied by a float, `CMTimeMultiplyByFloat64`.
  ///
  /// The product is formed exactly. It is given at the timescale doubled until it is at least
  /// `minimumProductTimescale` if it is exact there, as CMTime.h has it; else at 10^9, as Apple's
  /// library does, with default rounding and marked as rounded. The timescale is halved while the
  /// value does not fit 64 bits; if it does not fit at 1 either, the result is an infinity.
  ///
  /// An infinite `multiplier` gives an infinity; 0 times an infinity and not-a-number give invalid.
  /// Times that are no numbers behave as under `*`, which has no form for floats: what a literal
  /// means there must not be a question.
  public func multiplied(byFloat64 multiplier: Double) -> MediaTime {
    if multiplier.isNaN { return .invalid }
    guard isNumeric else {
      return impliedProduct(isZero: multiplier == 0, isNegative: multiplier < 0)
    }
    let isNegative = (value < 0) != (multiplier < 0)
    guard multiplier.isFinite else {
      return value == 0 ? .invalid : .infinity(negative: isNegative)
    }
    let product = FloatProduct(value.magnitude, multiplier.magnitude)
    var scale = timescale
    while scale < Self.minimumProductTimescale { scale *= 2 }
    while true {
      if let (value, isExact) = product.value(at: scale, from: timescale, isNegative) {
        if isExact {
          return MediaTime(value: value, timescale: scale, flags: flags, epoch: epoch)
        }
        break
      }
      if scale == 1 { return .infinity(negative: isNegative) }
      scale /= 2
    }
    scale = Self.maximumArithmeticTimescale
    while true {
      if let (value, isExact) = product.value(at: scale, from: timescale, isNegative) {
        return MediaTime(
          value: value, timescale: scale,
          flags: isExact ? flags : flags.union(.hasBeenRounded), epoch: epoch)
      }
      if scale == 1 { return .infinity(negative: isNegative) }
      scale /= 2
    }
  }

  /// Of a time that is no number.
  private func impliedProduct(isZero: Bool, isNegative: Bool) -> MediaTime {
    switch kind {
    case .indefinite: .indefinite
    case .positiveInfinity: isZero ? .invalid : .infinity(negative: isNegative)
    case .negativeInfinity: isZero ? .invalid : .infinity(negative: !isNegative)
    case .numeric, .invalid: .invalid
    }
  }
}
