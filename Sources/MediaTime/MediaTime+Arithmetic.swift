// SPDX-License-Identifier: Apache-2.0

extension MediaTime {
  /// The sum, exact if it can be, `CMTimeAdd`.
  ///
  /// Equal timescales are kept; different ones give their least common multiple, or
  /// `maximumArithmeticTimescale` with default rounding if that is larger. If the value does not
  /// fit 64 bits the timescale is halved until it does; if it does not fit at 1 either, the result
  /// is an infinity. The result is marked as rounded if it was or if an operand is.
  ///
  /// Invalid wins over all; infinities of opposite sign give invalid; else an infinity wins, then
  /// indefinite. A time of epoch 0 is a duration and takes the other's epoch; two of the same other
  /// epoch give epoch 0; of different other epochs, invalid.
  ///
  /// The exact sum is rounded, once. Apple's library converts each operand to the result's timescale
  /// and rounds it there, before it adds: where the common multiple exceeds
  /// `maximumArithmeticTimescale`, or an operand overflows at it, its sum can be one unit off, coarser,
  /// or infinite where this one is not. `Int64.max`/2 - `Int64.max`/3 is exactly `Int64.max`/6 here,
  /// and 1,537,228,672,809,129,302 s there.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    if a.isPlain, b.isPlain, a.timescale == b.timescale {
      let (value, overflows) = a.value.addingReportingOverflow(b.value)
      if !overflows { return MediaTime(value: value, timescale: a.timescale) }
    }
    return sum(a, b, sign: 1)
  }

  /// The difference, by the rules of `+`, `CMTimeSubtract`.
  ///
  /// Infinities of the same sign give invalid.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime {
    if a.isPlain, b.isPlain, a.timescale == b.timescale {
      let (value, overflows) = a.value.subtractingReportingOverflow(b.value)
      if !overflows { return MediaTime(value: value, timescale: a.timescale) }
    }
    return sum(a, b, sign: -1)
  }

  /// Adds `b` to `a`.
  public static func += (a: inout MediaTime, b: MediaTime) {
    a = a + b
  }

  /// Subtracts `b` from `a`.
  public static func -= (a: inout MediaTime, b: MediaTime) {
    a = a - b
  }

  /// The time without its sign, `CMTimeAbsoluteValue`; negative infinity becomes positive.
  public var absoluteValue: MediaTime {
    switch kind {
    case .numeric where value < 0:
      MediaTime(
        nearest: -Int128(value), over: Int128(timescale), timescale: timescale, epoch: epoch,
        rounded: hasBeenRounded)
    case .negativeInfinity: .positiveInfinity
    case .numeric, .positiveInfinity, .indefinite, .invalid: self
    }
  }

  /// An unrounded number of epoch 0, for which arithmetic has no cases to tell apart.
  private var isPlain: Bool { flags.rawValue == 1 && epoch == 0 && timescale > 0 }

  private static func sum(_ a: MediaTime, _ b: MediaTime, sign: Int64) -> MediaTime {
    let (kindA, kindB) = (a.kind, sign < 0 ? b.kind.negated : b.kind)
    switch (kindA, kindB) {
    case (.numeric, .numeric):
      break
    case (.invalid, _), (_, .invalid),
      (.positiveInfinity, .negativeInfinity), (.negativeInfinity, .positiveInfinity):
      return .invalid
    case (.positiveInfinity, _), (_, .positiveInfinity):
      return .positiveInfinity
    case (.negativeInfinity, _), (_, .negativeInfinity):
      return .negativeInfinity
    case (.indefinite, _), (_, .indefinite):
      return .indefinite
    }
    let epoch: Int64
    if a.epoch == 0 || b.epoch == 0 {
      epoch = a.epoch | b.epoch
    } else if a.epoch == b.epoch {
      epoch = 0
    } else {
      return .invalid
    }
    let divisor = greatestCommonDivisor(UInt64(a.timescale), UInt64(b.timescale))
    let (scaleA, scaleB) = (
      Int64(b.timescale) / Int64(divisor), Int64(a.timescale) / Int64(divisor)
    )
    let common = Int64(a.timescale) * scaleA
    let isRounded = a.hasBeenRounded || b.hasBeenRounded
    if common <= Int64(maximumArithmeticTimescale) {
      let (termA, overflowsA) = a.value.multipliedReportingOverflow(by: scaleA)
      let (termB, overflowsB) = b.value.multipliedReportingOverflow(by: sign * scaleB)
      let (value, overflows) = termA.addingReportingOverflow(termB)
      if !overflowsA, !overflowsB, !overflows {
        return MediaTime(
          value: value, timescale: Int32(common),
          flags: isRounded ? [.valid, .hasBeenRounded] : .valid, epoch: epoch)
      }
    }
    // Both terms are below 2^94.
    return MediaTime(
      nearest: Int128(a.value) * Int128(scaleA) + Int128(b.value) * Int128(sign * scaleB),
      over: Int128(common),
      timescale: a.timescale == b.timescale
        ? a.timescale : Int32(min(common, Int64(maximumArithmeticTimescale))),
      epoch: epoch, rounded: isRounded)
  }

  /// `numerator` / `denominator` seconds at `timescale`, or at the first of its halves that fits.
  ///
  /// - Precondition: `denominator` is positive and below 2^94.
  init(
    nearest numerator: Int128, over denominator: Int128, timescale: Int32, epoch: Int64,
    rounded: Bool
  ) {
    let (whole, rest) = numerator.quotientAndRemainder(dividingBy: denominator)
    guard Int64(exactly: whole) != nil else {
      self = .infinity(negative: numerator < 0)
      return
    }
    var timescale = timescale
    while true {
      // In two parts, as the numerator may take 126 bits and the timescale 31.
      let (part, isExact) = RoundingMethod.default.divide(
        rest * Int128(timescale), by: denominator, growing: false)
      if let value = Int64(exactly: whole * Int128(timescale) + part) {
        let isRounded = rounded || !isExact
        self.init(
          value: value, timescale: timescale,
          flags: isRounded ? [.valid, .hasBeenRounded] : .valid,
          epoch: epoch)
        return
      }
      guard timescale > 1 else {
        self = .infinity(negative: numerator < 0)
        return
      }
      timescale /= 2
    }
  }
}
