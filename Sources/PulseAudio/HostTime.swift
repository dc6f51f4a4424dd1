// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The machine's monotonic clock, which every host time in this module is read from.
public enum HostTime {
  /// Nanoseconds of `CLOCK_MONOTONIC`.
  ///
  /// Any thread; neither allocates nor locks.
  public static var now: UInt64 { nanoseconds(of: CLOCK_MONOTONIC) }

  /// Nanoseconds of the wall clock, which the server stamps its replies with.
  static var wallClock: UInt64 { nanoseconds(of: CLOCK_REALTIME) }

  private static func nanoseconds(of clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
