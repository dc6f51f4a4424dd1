// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The machine's monotonic clock, which every host time is read from.
public enum HostTime {
  /// Nanoseconds of `CLOCK_MONOTONIC`, which neither jumps with the time of day nor runs while the
  /// machine sleeps.
  ///
  /// Any thread; neither allocates nor locks.
  public static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
