// SPDX-License-Identifier: Apache-2.0

/// Place in a FLAC stream from which on frames are taken.
///
/// A pure value; a run is what the library has decoded last.
struct FLACPlace: Equatable {
  /// The frame to be read next.
  private(set) var position: Int64 = 0
  /// Frames of silence before the run, where what should be there cannot be decoded.
  private(set) var silence: Int64 = 0
  /// Frames of the run that have been taken.
  private(set) var taken = 0
  /// True once the end was met, or gone to: nothing more is decoded.
  private(set) var isSpent = false

  /// Tells whether a run of `count` frames, and what lies before it, has been taken.
  func isBehind(run count: Int) -> Bool { silence == 0 && taken >= count }

  /// A run begins behind `silence` frames that are missing.
  mutating func enter(behind silence: Int64) { (taken, self.silence) = (0, silence) }

  /// Takes up to `frames` frames of silence, or of a run of `count` frames behind it.
  ///
  /// - Returns: the frames taken, and where in the run they begin; nil for silence.
  mutating func take(_ frames: Int, ofRun count: Int) -> (frames: Int, begin: Int?) {
    let (part, begin): (Int, Int?)
    if silence > 0 {
      (part, begin) = (Int(min(Int64(frames), silence)), nil)
      silence -= Int64(part)
    } else {
      (part, begin) = (min(frames, count - taken), taken)
      taken += part
    }
    position += Int64(part)
    return (part, begin)
  }

  /// Decoding goes on elsewhere, where frame `position` is to be.
  mutating func move(to position: Int64) { self.position = position }

  /// Decoding will go on elsewhere.
  mutating func leave() { (silence, isSpent) = (0, false) }

  /// Decoding begins anew.
  mutating func restart() { (position, silence, taken) = (0, 0, 0) }

  /// The end has been met.
  mutating func end() { isSpent = true }

  /// The end, behind frame `position`, is gone to.
  mutating func end(at position: Int64) { (self.position, silence, isSpent) = (position, 0, true) }
}
