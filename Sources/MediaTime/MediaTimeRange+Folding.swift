// SPDX-License-Identifier: Apache-2.0

extension MediaTimeRange {
  /// `time` if it is within the range, else the nearer of `start` and `end`, `CMTimeClampToRange`.
  ///
  /// Invalid if `time` is, or if the range is empty, indefinite or invalid.
  public func clamp(_ time: MediaTime) -> MediaTime {
    guard time.isValid, isValid, !isEmpty, !isIndefinite else { return .invalid }
    return time < start ? start : min(time, end)
  }

  /// The place of `time` in an endless repetition of the range, `CMTimeFoldIntoRange`.
  ///
  /// `start` + (`time` - `start`) modulo `duration`, never negative, so times before the range fold
  /// into it as well. Exact unless no timescale for the result exists. Invalid unless `time`, start
  /// and duration are numbers, the range is not empty and the epochs agree.
  public func fold(_ time: MediaTime) -> MediaTime {
    guard isValid, !isEmpty, time.isNumeric, start.isNumeric, duration.isNumeric,
      start.epoch == time.epoch
    else { return .invalid }
    // The common denominator is below 2^93 and every product below 2^126.
    let common = [time, start, duration].reduce(into: Int128(1)) { common, time in
      let scale = UInt128(time.timescale)
      common *= Int128(scale / greatestCommonDivisor(common.magnitude, scale))
    }
    func units(_ time: MediaTime) -> Int128 {
      Int128(time.value) * (common / Int128(time.timescale))
    }
    let length = units(duration)
    var offset = (units(time) - units(start)) % length
    if offset < 0 { offset += length }
    let folded = MediaTime(
      closest: units(start) + offset, over: common, preferring: time.timescale, epoch: start.epoch,
      rounded: time.hasBeenRounded || start.hasBeenRounded || duration.hasBeenRounded)
    // Rounding can carry a time just before the end to the end, which is the start again.
    return folded < end ? folded : start
  }
}
