// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// Media time in one integer unit for all renderers: 1/28,224,000 of a second, which is a whole
/// number of units in a frame of every common rate.
///
/// Times further than 2^58 of them from zero, 323 years, count as those: a time that stands for "never"
/// can be added to any other.
package enum MediaTicks {
  static let perSecond = 28_224_000
  /// The most there are, before zero and after it; `TimeUnits` has as many.
  static let furthest: Int64 = 1 << 58

  /// The tick at which frame `frame` at `rate` begins.
  static func ticks(ofFrame frame: TimelineFrame, at rate: Int) -> Int64 {
    let (ticks, rest) = (Int128(frame.number) * Int128(perSecond)).quotientAndRemainder(
      dividingBy: Int128(rate))
    return clamped(Int64(clamping: rest < 0 ? ticks - 1 : ticks))
  }

  /// The first frame at `rate` that begins at or after `ticks`.
  static func frame(atOrAfter ticks: Int64, at rate: Int) -> TimelineFrame {
    let scaled = Int128(ticks) * Int128(rate)
    let whole = scaled / Int128(perSecond)
    return TimelineFrame(
      Int64(clamping: whole * Int128(perSecond) < scaled ? whole + 1 : whole))
  }

  /// The tick nearest to `time`.
  ///
  /// - Precondition: `time` is numeric.
  static func ticks(_ time: MediaTime) -> Int64 { ticks(RationalTime(time)) }

  /// The tick nearest to `time`.
  package static func ticks(_ time: RationalTime) -> Int64 { clamped(time.frames(at: perSecond)) }

  private static func clamped(_ ticks: Int64) -> Int64 { min(max(ticks, -furthest), furthest) }
}
