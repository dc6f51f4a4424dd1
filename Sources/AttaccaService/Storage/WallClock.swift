// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time of day.
enum WallClock {
  /// Seconds since 1970.
  static var seconds: Int64 { Int64(time(nil)) }
}
