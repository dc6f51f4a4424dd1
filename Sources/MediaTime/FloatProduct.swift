// SPDX-License-Identifier: Apache-2.0

/// The exact product of a whole number and a float: `significand` · 2^`exponent`.
struct FloatProduct {
  /// Below 2^117.
  private let significand: UInt128
  private let exponent: Int

  /// `value` · `multiplier`.
  ///
  /// - Precondition: `multiplier` is finite and not negative.
  init(_ value: UInt64, _ multiplier: Double) {
    guard multiplier > 0 else {
      significand = 0
      exponent = 0
      return
    }
    // 53 bits times 2^52 are a whole number; Swift normalizes the significand of subnormals.
    significand = UInt128(value) * UInt128(UInt64(multiplier.significand * 0x1p52))
    exponent = Int(multiplier.exponent) - 52
  }

  /// The product of units of 1/`timescale` in units of 1/`newTimescale`, halves away from zero.
  ///
  /// nil if it does not fit 64 bits.
  func value(
    at newTimescale: Int32, from timescale: Int32, _ isNegative: Bool
  ) -> (value: Int64, isExact: Bool)? {
    let (scale, divisor) = (UInt128(newTimescale), UInt128(timescale))
    // Scaled product = units + a fraction, of which only "is there one" and "is it half" matter.
    var units: UInt128
    var (fractionIsHalf, hasFraction) = (false, false)
    // 2^96 units of 2^-31 s and more do not fit at any scale.
    let limit: UInt128 = 1 << 96
    if exponent >= 0 {
      guard 128 - significand.leadingZeroBitCount + exponent <= 96 else { return nil }
      units = (significand << exponent) * scale
    } else {
      let shift = -exponent
      let whole = significand >> shift
      guard whole < limit else { return nil }
      let (high, low) = (significand - (whole << shift)).multipliedFullWidth(by: scale)
      // Swift's shifts by more than the width give 0, by negative counts go the other way.
      let part = high << (128 - shift) | low >> shift
      fractionIsHalf = (high << (129 - shift) | low >> (shift - 1)) & 1 == 1
      hasFraction = low != part << shift || high != part >> (128 - shift)
      units = whole * scale + part
    }
    var (quotient, rest) = units.quotientAndRemainder(dividingBy: divisor)
    if 2 * rest >= divisor || (2 * rest == divisor - 1 && fractionIsHalf) { quotient += 1 }
    guard quotient <= UInt128(Int64.min.magnitude) else { return nil }
    let signed = isNegative ? -Int128(quotient) : Int128(quotient)
    guard let value = Int64(exactly: signed) else { return nil }
    return (value, rest == 0 && !hasFraction)
  }
}
