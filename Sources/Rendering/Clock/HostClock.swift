// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// The machine's monotonic clock: nanoseconds of `CLOCK_MONOTONIC`, which neither jumps with the
/// time of day nor runs while the machine sleeps.
///
/// Every host time in this package is read from it. Any thread; neither allocates nor locks. The
/// corresponding clock is `CMClockGetHostTimeClock()`.
public enum HostClock {
  /// Nanoseconds now; the corresponding call is `mach_absolute_time()`.
  public static var nanoseconds: UInt64 { HostTime.now() }

  /// The time now, in nanoseconds; the corresponding call is `CMClockGetTime`.
  public static var time: MediaTime { mediaTime(ofNanoseconds: nanoseconds) }

  /// A host time as media time.
  ///
  /// The corresponding call is `CMClockMakeHostTimeFromSystemUnits`.
  public static func mediaTime(ofNanoseconds hostTime: UInt64) -> MediaTime {
    MediaTime(value: Int64(clamping: hostTime), timescale: 1_000_000_000)
  }

  /// The nanosecond of this clock nearest to `time`; nil where `time` is not numeric or lies before
  /// the clock's zero.
  ///
  /// The corresponding call is `CMClockConvertHostTimeToSystemUnits`.
  public static func nanoseconds(of time: MediaTime) -> UInt64? {
    guard time.isNumeric else { return nil }
    let units = TimeUnits.units(time) + TimeUnits.perNanosecond / 2
    let nanoseconds = TimeUnits.floor(units, by: TimeUnits.perNanosecond)
    return nanoseconds < 0 ? nil : UInt64(nanoseconds)
  }
}
