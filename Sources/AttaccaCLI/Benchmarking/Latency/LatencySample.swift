// SPDX-License-Identifier: Apache-2.0

/// One command's way to the ear.
struct LatencySample {
  /// From the call until the first new frame is heard; where it was not heard, until there was no more
  /// listening.
  let nanoseconds: Int
  let silentFrames: Int
  let complaint: String?
  /// Frames that the monitor did not hear.
  var hiddenFrames = 0
}
