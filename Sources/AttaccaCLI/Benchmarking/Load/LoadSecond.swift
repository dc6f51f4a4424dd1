// SPDX-License-Identifier: Apache-2.0

/// The cost of a second of playing.
struct LoadSecond {
  /// CPU nanoseconds of all threads.
  let processor: Int
  let wakeups: [ThreadRole: Int]
}
