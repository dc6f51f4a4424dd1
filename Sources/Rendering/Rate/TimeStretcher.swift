// SPDX-License-Identifier: Apache-2.0

/// Makes sound longer or shorter at its own pitch: what an `AudioTimePitchAlgorithm` makes.
///
/// Used by one thread at a time. Interleaved frames go in; of `n` that went in, about `n` / speed come
/// out, the frame that belongs to the first one first.
public protocol TimeStretcher: AnyObject, Sendable {
  /// Frames that it may hold back at most, of what comes out.
  var withheldFrames: Int { get }

  /// Takes in `frameCount` frames.
  func push(_ frames: UnsafePointer<Float>, frameCount: Int)

  /// Nothing follows: what is held back can be pulled.
  func end()

  /// Writes up to `frameCount` frames to `frames`.
  ///
  /// - Returns: how many; 0 where more input is needed, or at the end.
  func pull(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int
}
