// SPDX-License-Identifier: Apache-2.0

/// Bytes that have come, and the time in which some were to come: a rest is none of the line's.
struct ArrivalClock: Hashable {
  private(set) var bytes = 0
  private(set) var nanoseconds: UInt64 = 0
  private var last: UInt64 = 0

  /// From now on bytes are to come.
  mutating func begin(at now: UInt64) { last = now }

  /// So many have come.
  mutating func note(_ count: Int, at now: UInt64) {
    (bytes, nanoseconds, last) = (bytes + count, nanoseconds + now - last, now)
  }
}
