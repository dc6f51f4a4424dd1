// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A moment of the calendar, to the millisecond.
public struct WallTime: Hashable, Comparable, Sendable {
  /// Milliseconds since the beginning of 1970, UTC.
  public let milliseconds: Int64

  /// A moment by its milliseconds since the beginning of 1970, UTC.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// The present moment by the system's clock, which may be set back.
  public static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(
      milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// Tells whether `a` is earlier than `b`.
  public static func < (a: WallTime, b: WallTime) -> Bool { a.milliseconds < b.milliseconds }

  /// Seconds from `earlier` to this moment; 0 where a clock was set back between them.
  public func seconds(since earlier: WallTime) -> Double {
    // Exact for the moments that there are, and no overflow for those that there are not.
    max(0, (Double(milliseconds) - Double(earlier.milliseconds)) / 1_000)
  }
}
