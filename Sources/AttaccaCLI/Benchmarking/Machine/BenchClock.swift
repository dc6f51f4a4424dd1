// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Clocks to measure with, in nanoseconds.
enum BenchClock {
  /// Of the monotonic clock.
  static var now: Int { read(CLOCK_MONOTONIC) }

  /// CPU time of all threads of this process so far.
  static var processor: Int { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// CPU time of all threads of a process so far; nil where it has ended.
  ///
  /// The corresponding call is `clock_getcpuclockid`; /proc counts in steps of 10 ms.
  static func processor(of process: pid_t) -> Int? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return nil
    }
    return nanoseconds(time)
  }

  private static func read(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    time.tv_sec * 1_000_000_000 + time.tv_nsec
  }
}
