// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The newest crossfade of a line, with what it was made of: what is spliced in can begin later,
/// where the device has gone past its first frames before they arrived.
struct Crossfade {
  /// The stream frame that it begins at, and the generation of the line's content.
  let begin: StreamFrame
  let generation: Int
  private let length: Int
  /// What would have been heard from `begin` on.
  private let old: StagedFrames
  /// The first `length` frames of what is heard instead, before they were mixed.
  private let new: StagedFrames

  /// The crossfade of `length` frames from what `ring` holds to `staged`, at stream frame `begin`,
  /// which can be delayed by `reach` frames.
  ///
  /// `staged` holds the mixed frames afterwards.
  init(
    from ring: borrowing FrameRing, to staged: StagedFrames, at begin: StreamFrame, length: Int,
    reach: Int, generation: Int
  ) {
    (self.begin, self.length, self.generation) = (begin, length, generation)
    old = StagedFrames(copying: ring, from: begin, frames: length + reach)
    new = StagedFrames(copying: staged, frames: length)
    staged.fadeIn(from: old.samples, frames: length)
  }

  /// Has what is mixed begin `late` frames later, in `ring`, which then begins with it.
  ///
  /// - Returns: false, and nothing changed, where that is not within reach.
  func delay(by late: Int64, in ring: inout FrameRing) -> Bool {
    guard late > 0, late <= Int64(old.count - length), begin >= ring.begin,
      begin + length <= ring.end
    else { return false }
    let mixed = StagedFrames(copying: new, frames: length)
    mixed.fadeIn(from: old.samples + Int(late) * ring.channelCount, frames: length)
    ring.shift(by: late)
    ring.discard(before: begin + late)
    ring.overwrite(mixed.samples, at: begin + late, frames: length)
    return true
  }
}
