// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Media time in one integer unit for all renderers: 1/28,224,000 of a second, which is a whole
/// number of units in a frame of every common rate.
///
/// 64 bits of it are 10,000 years.
enum MediaTicks {
  static let perSecond = 28_224_000

  /// The tick at which frame `frame` at `rate` begins.
  static func ticks(ofFrame frame: Int64, at rate: Int) -> Int64 {
    let (ticks, rest) = (Int128(frame) * Int128(perSecond)).quotientAndRemainder(
      dividingBy: Int128(rate))
    return Int64(rest < 0 ? ticks - 1 : ticks)
  }

  /// The first frame at `rate` that begins at or after `ticks`.
  static func frame(atOrAfter ticks: Int64, at rate: Int) -> Int64 {
    let scaled = Int128(ticks) * Int128(rate)
    let whole = scaled / Int128(perSecond)
    return Int64(whole * Int128(perSecond) < scaled ? whole + 1 : whole)
  }

  /// The tick nearest to `time`.
  ///
  /// - Precondition: `time` is numeric.
  static func ticks(_ time: MediaTime) -> Int64 { frame(nearest: time, at: perSecond) }

  /// The frame at `rate` nearest to `time`; what lies further than 2^60 frames away, as a time that
  /// stands for "never", is taken as 2^60.
  ///
  /// - Precondition: `time` is numeric.
  static func frame(nearest time: MediaTime, at rate: Int) -> Int64 {
    let furthest: Int64 = 1 << 60
    return min(max(RationalTime(time).frames(at: rate), -furthest), furthest)
  }
}
