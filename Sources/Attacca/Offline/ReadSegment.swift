// SPDX-License-Identifier: Apache-2.0

import DequeModule
import SoundFiles

/// A part of an item, or all of it, that is read by one source from begin to end.
///
/// Of `ReadAhead`, and touched only under its lock.
final class ReadSegment {
  /// The end of a segment.
  enum End {
    /// The next segment of the item goes on from here.
    case continued
    /// The item is over, and this is why it was cut short, if it was.
    case ended((any Error)?)
    /// The item cannot be played, or not further.
    case failed(any Error)
  }

  /// The item's place in the list.
  let item: Int
  /// The first frame.
  let begin: Int64
  /// The frame behind the last one; nil for the end of the item, or while that has not been opened.
  var until: Int64?
  /// The next frame to be read.
  var position: Int64
  /// Source of its frames, at `position`; a job that is under way has it.
  var source: (any FrameSource)?
  /// True once it has been found out how the item is to be read.
  var isPlanned: Bool
  /// Frames that were read and have not been taken.
  var chunks: Deque<Chunk> = []
  /// Set while a job is under way: its number, and since when it has run.
  var job: (number: Int, since: UInt64?)?
  var end: End?

  init(item: Int, begin: Int64 = 0, until: Int64? = nil, isPlanned: Bool = false) {
    (self.item, self.begin, self.until, position) = (item, begin, until, begin)
    self.isPlanned = isPlanned
  }
}
