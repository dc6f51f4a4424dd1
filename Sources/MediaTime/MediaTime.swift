// SPDX-License-Identifier: Apache-2.0

/// An exact rational time, with CMTime's semantics.
///
/// A time is a number (`value` / `timescale` seconds), positive or negative infinity, indefinite,
/// or invalid. Arithmetic uses 128-bit intermediates; a result that had to be rounded says so in
/// its flags, and a result that does not fit becomes an infinity instead of wrapping. Times are
/// equal when they denote the same instant: 1/2 equals 24000/48000, and they hash alike.
///
/// Sums over timescales that divide `commonRatesTimescale` never round.
///
/// Corresponds to Apple's `CMTime`, and follows the text of CMTime.h. Where Apple's library has been
/// observed to do otherwise this type stays exact, and differs from it: in sums and differences whose
/// operands do not fit the common timescale (see `+`), and in ratios that do not fit a time, or come to
/// `Int64.min` or `Int64.max` (see `multiplied(by:dividedBy:)`).
public struct MediaTime: Codable, Sendable {
  /// The number of `timescale` units; ignored unless the time is numeric.
  public var value: Int64
  /// Units per second, positive in a numeric time.
  public var timescale: Int32
  /// The kind of time that this is, and whether it was rounded.
  public var flags: Flags
  /// The timeline that the time is on, of several; 0 for durations.
  ///
  /// A player that loops may count its turns here: a time of a later epoch is later, whatever its
  /// value.
  public var epoch: Int64

  /// The invalid time, as zeroed memory is in C.
  public init() {
    self = .invalid
  }

  /// A time of the given fields, taken as they are.
  ///
  /// A number whose `timescale` is not positive is an invalid time.
  public init(value: Int64, timescale: Int32, flags: Flags, epoch: Int64) {
    self.value = value
    self.timescale = timescale
    self.flags = flags
    self.epoch = epoch
  }

  /// `value` / `timescale` seconds; invalid if `timescale` is not positive.
  ///
  /// Corresponds to `CMTimeMakeWithEpoch`, and with the default epoch to `CMTimeMake`.
  public init(value: Int64, timescale: Int32, epoch: Int64 = 0) {
    guard timescale > 0 else {
      self = .invalid
      return
    }
    self.init(value: value, timescale: timescale, flags: .valid, epoch: epoch)
  }

  /// Zero seconds, `kCMTimeZero`.
  public static let zero = MediaTime(value: 0, timescale: 1)
  /// The time that is none, `kCMTimeInvalid`; sorts after every other time.
  public static let invalid = MediaTime(value: 0, timescale: 0, flags: [], epoch: 0)
  /// A time not known yet, such as the length of a live stream, `kCMTimeIndefinite`.
  public static let indefinite = MediaTime(
    value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)
  /// Later than every number, `kCMTimePositiveInfinity`.
  public static let positiveInfinity = MediaTime(
    value: 0, timescale: 0, flags: [.valid, .positiveInfinity], epoch: 0)
  /// Earlier than every number, `kCMTimeNegativeInfinity`.
  public static let negativeInfinity = MediaTime(
    value: 0, timescale: 0, flags: [.valid, .negativeInfinity], epoch: 0)

  /// True where the time is a number, an infinity or indefinite, `CMTIME_IS_VALID`.
  public var isValid: Bool { kind != .invalid }
  /// True where the time is a number, `CMTIME_IS_NUMERIC`.
  public var isNumeric: Bool { kind == .numeric }
  /// True where the time is a number that was rounded on the way, `CMTIME_HAS_BEEN_ROUNDED`.
  public var hasBeenRounded: Bool { flags.contains(.hasBeenRounded) && isNumeric }
  /// True where the time is not known yet, `CMTIME_IS_INDEFINITE`.
  public var isIndefinite: Bool { kind == .indefinite }
  /// True where the time is later than every number, `CMTIME_IS_POSITIVE_INFINITY`.
  public var isPositiveInfinity: Bool { kind == .positiveInfinity }
  /// True where the time is earlier than every number, `CMTIME_IS_NEGATIVE_INFINITY`.
  public var isNegativeInfinity: Bool { kind == .negativeInfinity }

  /// The kinds of times, in CMTimeCompare's ascending order.
  enum Kind: Comparable {
    case negativeInfinity, numeric, indefinite, positiveInfinity, invalid

    /// The kind of the negated time.
    var negated: Kind {
      switch self {
      case .negativeInfinity: .positiveInfinity
      case .positiveInfinity: .negativeInfinity
      case .numeric, .indefinite, .invalid: self
      }
    }
  }

  /// Exactly one kind holds for every combination of fields, so that the order is total.
  var kind: Kind {
    // By bits: unoptimized, set algebra goes through generics and doubles the time of a sum.
    let bits = flags.rawValue
    if bits & 1 == 0 { return .invalid }
    if bits & 28 == 0 { return timescale > 0 ? .numeric : .invalid }
    if bits & 4 != 0 { return .positiveInfinity }
    return bits & 8 != 0 ? .negativeInfinity : .indefinite
  }

  /// The infinity of a sign.
  static func infinity(negative: Bool) -> MediaTime {
    negative ? .negativeInfinity : .positiveInfinity
  }
}
