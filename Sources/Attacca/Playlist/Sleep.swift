// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering

/// A sleep timer that is set, and where it has playing end.
struct Sleep: Hashable, Sendable {
  /// A chapter, in either direction.
  struct Stretch: Hashable, Sendable {
    let occurrence: Occurrence
    /// Offset of its first frame; nil for the item's beginning.
    let start: RationalTime?
    /// Offset behind its last frame; nil for the item's end.
    let end: RationalTime?
  }

  let timer: SleepTimer
  /// Items to be heard to their ends, the current one being the first; 0 where that is not counted.
  var itemsLeft = 0
  /// The chapter that is heard; nil until it is known.
  var chapter: Stretch?
  /// Host time of the end; nil for an end in what is played.
  var deadline: UInt64?

  init(_ timer: SleepTimer) {
    self.timer = timer
    switch timer.end {
    case .after(let time):
      let nanoseconds = min(RationalTime(time), PlayedRange.end).frames(at: 1_000_000_000)
      deadline = HostTime.now() + UInt64(nanoseconds)
    case .items(let count): itemsLeft = count
    case .chapter: break
    }
  }

  /// Length of the fade in media time, of one before an end in what is played.
  var fade: RationalTime { min(RationalTime(timer.fade), PlayedRange.end) }

  /// `automation` of the item that playing ends in, faded out before offset `end` in the direction of playing.
  func faded(
    _ automation: VolumeAutomation, before end: RationalTime, isReversed: Bool
  ) -> VolumeAutomation {
    guard fade > .zero else { return automation }
    let first = isReversed ? end : max(.zero, end - fade)
    let last = isReversed ? end + fade : end
    let range = MediaTimeRange(start: MediaTime(first), duration: MediaTime(last - first))
    let volumes: (Float, Float) = isReversed ? (0, 1) : (1, 0)
    return automation.multiplied(byRampFrom: volumes.0, to: volumes.1, over: range)
  }
}
