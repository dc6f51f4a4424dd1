// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering

/// The place where a decoder thread leaves what came of its step, for the serializer to find.
final class PendingOutcome: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var outcome: DecodeStep.Outcome?
  private var isUrgent = false
  /// The items that the step could not open and went on from.
  private var skipped: SkippedItems?
  /// Source that the step is reading or opening.
  private var source: (any FrameSource)?
  /// The last answer of that source's, where it was that it waits, and when it came.
  private var waiting: (wait: SourceWait, hostTime: UInt64)?
  private var isCancelled = false
  /// Signalled once the step is not wanted any more.
  private let cancelled = DispatchSemaphore(value: 0)
  /// Search for places in the file that the step has opened, if its headers do not tell them, and how far
  /// that had got when it was asked last.
  private var search: (LengthSearch, steps: Int)?
  private var hasOpenedFile = false

  /// The outcome of another step will come, of the last one no more; before that step begins.
  func expect(isUrgent: Bool) {
    semaphore.wait()
    defer { semaphore.signal() }
    (outcome, self.isUrgent, skipped) = (nil, isUrgent, nil)
    (search, hasOpenedFile) = (nil, false)
  }

  /// The item that is tried could not be opened, and the step goes on to `next`; on the decoder thread.
  ///
  /// The first one's item, range and error are those of all.
  func skip(
    _ first: PlaylistItem, _ range: PlayedRange, _ error: any Error,
    to next: (PlaylistItem, PlayedRange)
  ) {
    semaphore.wait()
    defer { semaphore.signal() }
    if skipped == nil {
      skipped = SkippedItems(first, range, error, next: next)
    } else {
      skipped?.skip(to: next)
    }
  }

  /// The step has opened its file, and goes to a place in it, with `search` if that has to be looked for;
  /// on the decoder thread.
  func open(_ search: LengthSearch?) {
    semaphore.wait()
    defer { semaphore.signal() }
    hasOpenedFile = true
    self.search = search.map { ($0, $0.steps) }
  }

  /// True once the step has opened a file.
  var isOpen: Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    return hasOpenedFile
  }

  /// Tells whether what the step looks for in its file is nearer than when that was asked last.
  func hasGotOn() -> Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    guard let (search, before) = search else { return false }
    self.search?.steps = search.steps
    return search.steps > before
  }

  /// The items that the step has gone on from so far; nil from then on.
  func takeSkipped() -> SkippedItems? {
    semaphore.wait()
    defer { semaphore.signal() }
    return skipped.take()
  }

  /// Leaves the outcome; on the decoder thread.
  ///
  /// - Returns: whether the serializer is to be told: it waits for a buffer, or this is none, and
  ///   another file has to be opened.
  func put(_ outcome: DecodeStep.Outcome) -> Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    self.outcome = outcome
    if case .buffer = outcome { return isUrgent }
    return true
  }

  /// The outcome, once it is there; nil from then on.
  func take() -> DecodeStep.Outcome? {
    semaphore.wait()
    defer { semaphore.signal() }
    return outcome.take()
  }

  /// The serializer waits for it from now on.
  ///
  /// - Returns: whether it is there already.
  func hurry() -> Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    isUrgent = true
    return outcome != nil
  }

  var isThere: Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    return outcome != nil
  }

  // MARK: Sources that wait

  /// Runs `body`, which reads or opens `source`, again and again for as long as that waits; on the decoder
  /// thread.
  ///
  /// - Throws: What `body` throws, and `CancellationError` once the step is not wanted any more.
  func reading<R>(_ source: any FrameSource, _ body: () throws -> R) throws -> R {
    try semaphore.withLock {
      if isCancelled { throw CancellationError() }
      self.source = source
    }
    defer { semaphore.withLock { (self.source, waiting) = (nil, nil) } }
    while true {
      do {
        return try body()
      } catch let error as SourceIsWaiting {
        semaphore.withLock { waiting = (error.wait, HostTime.now()) }
        guard cancelled.wait(timeout: .now() + .milliseconds(error.wait.milliseconds)) == .timedOut
        else { throw CancellationError() }
      }
    }
  }

  /// The answer of the source that is being read, where it is that it waits, and the host time at which it
  /// came; any thread.
  var wait: (wait: SourceWait, hostTime: UInt64)? { semaphore.withLock { waiting } }

  /// Nobody wants what the step will bring, nor another one's; any thread.
  ///
  /// - Returns: The source that is being read.
  func cancel() -> (any FrameSource)? {
    cancelled.signal()
    return semaphore.withLock {
      isCancelled = true
      return source
    }
  }
}
