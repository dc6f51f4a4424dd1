// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import Glibc

/// The machine's time of day, which a server stamps its replies with.
enum WallClock {
  /// Nanoseconds of `CLOCK_REALTIME`.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
