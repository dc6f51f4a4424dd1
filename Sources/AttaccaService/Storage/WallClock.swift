// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of day.
enum WallClock {
  /// Seconds since 1970.
  static var seconds: Int64 { Int64(time(nil)) }

  /// Milliseconds since 1970.
  static var milliseconds: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
  }
}
