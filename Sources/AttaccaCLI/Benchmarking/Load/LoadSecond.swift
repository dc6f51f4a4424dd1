// SPDX-License-Identifier: Apache-2.0

/// What a second of playing took.
struct LoadSecond {
  /// CPU nanoseconds of all threads.
  let processor: Int
  let wakeups: [ThreadRole: Int]
}
