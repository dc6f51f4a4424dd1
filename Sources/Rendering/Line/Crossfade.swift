// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The newest crossfade of a line, with what it was made of: what is spliced in can begin later,
/// where the device has gone past its first frames before they arrived.
struct Crossfade {
  /// The stream frame that it begins at, and the generation of the line's content.
  let begin: StreamFrame
  let generation: Int
  private let length: Int
  /// Frames that would have been heard from `begin` on.
  private let old: OldFrames
  /// The first `length` frames of what is heard instead, as loud as they are, before they were mixed.
  private let new: StagedFrames

  /// The crossfade of `length` frames from `old` to `staged`, whose frame 0 is heard at stream frame `begin`,
  /// at `factors` for its first frames, which are empty for 1 throughout.
  ///
  /// It can be delayed by as many frames as `old` has more. `staged` holds the mixed frames afterwards.
  init(
    from old: OldFrames, to staged: StagedFrames, at factors: [Float], from begin: StreamFrame,
    length: Int, generation: Int
  ) {
    (self.begin, self.length, self.generation) = (begin, length, generation)
    self.old = old
    if !factors.isEmpty { staged.multiply(by: factors[..<length]) }
    new = StagedFrames(copying: staged, frames: length)
    staged.fadeIn(from: old.frames(from: 0, frames: length), frames: length)
  }

  /// Has what is mixed begin `late` frames later, in `ring`, which then begins with it.
  ///
  /// - Returns: false, and nothing changed, where that is not within reach.
  func delay(by late: Int64, in ring: inout FrameRing) -> Bool {
    guard late > 0, late <= Int64(old.count - length), begin >= ring.begin,
      begin + length <= ring.end
    else { return false }
    let mixed = StagedFrames(copying: new, frames: length)
    mixed.fadeIn(from: old.frames(from: Int(late), frames: length), frames: length)
    ring.shift(by: late)
    ring.discard(before: begin + late)
    ring.overwrite(mixed.samples, at: begin + late, frames: length)
    return true
  }
}
