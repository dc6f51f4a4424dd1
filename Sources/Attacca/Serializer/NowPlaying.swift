// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering

/// The item that is heard, and what is told of playing, for readers on any thread.
final class NowPlaying: @unchecked Sendable {
  /// The items on one stretch of the timeline.
  struct Line {
    /// The start that put them there.
    let generation: Int
    /// The traversal of media time that they belong to.
    let traversal: Int
    /// In order; what is heard is among them.
    let spans: [ItemSpan]
  }

  // @unchecked: what is mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  /// Events of playing, for any number of subscribers.
  let events = EventSource<PlaybackEvent>(coalescing: { $0.absorb($1) })
  private var stored: ItemSpan?
  private var storedWait: PlaybackWait?
  private var storedChapter: HeardChapter?
  private var line: Line?
  /// The one before, which is heard until the splice is.
  private var previous: Line?
  /// What has been left out of what was heard, and told.
  private var skipped = SkippedSilence()
  /// True where the present line is heard next the other way round: the same place, until that is shown.
  private var isTurning = false

  var span: ItemSpan? {
    get { semaphore.withLock { stored } }
    set { semaphore.withLock { stored = newValue } }
  }

  /// The chapter that was told last.
  var chapter: HeardChapter? {
    get { semaphore.withLock { storedChapter } }
    set { semaphore.withLock { storedChapter = newValue } }
  }

  /// The chapter that is heard of the current item: what was told of the item before is none of this one's.
  var chapterOfItem: HeardChapter? {
    semaphore.withLock {
      stored?.range.occurrence == storedChapter?.occurrence ? storedChapter : nil
    }
  }

  /// The file that playing waits for.
  var wait: PlaybackWait? {
    get { semaphore.withLock { storedWait } }
    set { semaphore.withLock { storedWait = newValue } }
  }

  func show(_ new: Line?) {
    let old = semaphore.withLock {
      let old = (line, previous)
      if new == nil || new?.traversal != line?.traversal {
        previous = new == nil ? nil : line
        skipped.begin(at: new?.spans.first?.begin)
      }
      (line, isTurning) = (new, false)
      return old
    }
    // Spans hold texts: they are let go without the semaphore.
    withExtendedLifetime(old) {}
  }

  /// Length of what has been left out of what is heard at `time` of a traversal, and before.
  func skippedSilence(at time: RationalTime?, traversal: Int) -> RationalTime {
    semaphore.withLock {
      guard let time, let line, line.traversal == traversal else { return skipped.total }
      return skipped.total + skipped.untold(of: line.spans, upTo: time)
    }
  }

  /// Counts what has been left out before `time` of a traversal.
  ///
  /// - Returns: length of what has not been counted before.
  func countSkipped(before time: RationalTime, traversal: Int) -> RationalTime {
    semaphore.withLock {
      guard let line, line.traversal == traversal else { return .zero }
      return skipped.count(line.spans, before: time)
    }
  }

  /// Another line is spliced in; it turns the present one round, or not.
  func splice(isTurn: Bool) { semaphore.withLock { isTurning = isTurn } }

  /// Returns what is heard at `time`, by the device's frames at `rate`.
  ///
  /// - Returns: that, its item, and its time on the timeline.
  func hearing(
    at time: MediaTime, traversal: Int, rate: Int
  ) -> (HeardPosition, ItemSpan, RationalTime)? {
    let found = semaphore.withLock {
      if line?.traversal == traversal { return line }
      return previous?.traversal == traversal ? previous : isTurning ? line : nil
    }
    guard let found, let first = found.spans.first else { return nil }
    let mediaTime = RationalTime(time)
    let time = first.range.isReversed ? .zero - mediaTime : mediaTime
    let frame = time.frames(at: rate)
    let span =
      found.spans.last { $0.begin.frames(at: rate) <= frame && $0.end != $0.begin } ?? first
    let hearing = HeardPosition(
      occurrence: span.range.occurrence, offset: span.offset(at: time),
      generation: found.generation, place: span.place)
    return (hearing, span, time)
  }
}
