// SPDX-License-Identifier: Apache-2.0

/// Converts interleaved frames from one fixed rate to another, as `RateConverter` does.
///
/// However it does, the frames are the same to the bit.
protocol FrameConverter: AnyObject {
  /// Takes in `frameCount` frames at `frames`, all of them.
  func push(_ frames: UnsafePointer<Float>, frameCount: Int)
  /// Says that silence follows.
  func end()
  /// Writes up to `frameCount` frames to `frames` and returns how many: 0 where more input is
  /// needed, or at the end.
  func pull(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int
}

extension RateConverter: FrameConverter {}
