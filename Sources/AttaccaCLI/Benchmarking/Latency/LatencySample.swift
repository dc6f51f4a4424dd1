// SPDX-License-Identifier: Apache-2.0

/// One command's way to the ear.
struct LatencySample {
  /// From the call to the arrival of the first new frame at the monitor.
  let nanoseconds: Int
  let silentFrames: Int
  let complaint: String?
}
