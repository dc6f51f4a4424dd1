// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The content of a line, by its generation, and its end.
///
/// A pure value: content prepared for another generation is not taken.
struct LineContent: Hashable {
  /// Number of the present generation.
  private(set) var generation: Int
  /// Timeline frame from which on nothing of the present generation is taken; nil for none.
  private(set) var refusedFrom: TimelineFrame?
  /// True where no more content will come after what is in the ring.
  private(set) var isFinished = false
  /// True where a stop took place behind the last frame of finished content, and that it was heard is still to
  /// be told.
  private(set) var isHeldAtEnd = false

  /// Content that goes on, of a generation.
  init(generation: Int = 0) { self.generation = generation }

  /// Other content comes: it is not finished.
  mutating func replace() {
    advance()
    finish(false)
  }

  /// Turns to another generation: what is being prepared is not taken any more.
  mutating func advance() { (generation, refusedFrom) = (generation + 1, nil) }

  /// The content ends here, or goes on after all.
  mutating func finish(_ isFinished: Bool) { (self.isFinished, isHeldAtEnd) = (isFinished, false) }

  /// A stop takes place, behind the last frame where that has been heard.
  mutating func stop(isBehindLast: Bool) { isHeldAtEnd = isFinished && isBehindLast }

  /// Nothing is to be told of an end any more.
  mutating func endHold() { isHeldAtEnd = false }

  /// Nothing of the present generation is taken from timeline frame `media` on.
  mutating func refuse(from media: TimelineFrame) {
    refusedFrom = min(media, refusedFrom ?? media)
  }

  /// Frames that are taken of `count` from timeline frame `media` on.
  func taken(of count: Int, from media: TimelineFrame) -> Int {
    guard let refusedFrom else { return count }
    return Int(min(Int64(count), max(0, refusedFrom - media)))
  }
}
