// SPDX-License-Identifier: Apache-2.0

import DequeModule
import Dispatch

/// The events that one subscriber has not received yet.
///
/// Bounded: a subscriber that falls `limit` events behind is ended, so that it notices, rather than
/// told a story with holes.
final class EventBuffer<Event: Sendable>: @unchecked Sendable {
  static var limit: Int { 16_384 }

  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private let coalesces: @Sendable (inout Event, Event) -> Bool
  private var events: Deque<Event> = []
  private var waiting: CheckedContinuation<Event?, Never>?
  private var isFinished = false
  private var isCancelled = false

  init(coalescing coalesces: @escaping @Sendable (inout Event, Event) -> Bool) {
    self.coalesces = coalesces
  }

  /// Whether no one will receive any more.
  var isAbandoned: Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    return isCancelled
  }

  func put(_ event: Event) {
    semaphore.wait()
    if isFinished || isCancelled {
      semaphore.signal()
      return
    }
    let waiting = self.waiting.take()
    if waiting == nil {
      if events.isEmpty || !coalesces(&events[events.count - 1], event) { events.append(event) }
      if events.count > Self.limit { isFinished = true }
    }
    semaphore.signal()
    waiting?.resume(returning: event)
  }

  /// The next event; nil at the end.
  func next() async -> Event? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        semaphore.wait()
        precondition(waiting == nil, "two tasks iterate over the events of one subscription")
        if let event = events.popFirst() {
          semaphore.signal()
          continuation.resume(returning: event)
        } else if isFinished || isCancelled {
          semaphore.signal()
          continuation.resume(returning: nil)
        } else {
          waiting = continuation
          semaphore.signal()
        }
      }
    } onCancel: {
      cancel()
    }
  }

  /// No event comes after those that are buffered.
  func finish() {
    semaphore.wait()
    isFinished = true
    let waiting = self.waiting.take()
    semaphore.signal()
    waiting?.resume(returning: nil)
  }

  /// The subscriber is gone.
  func cancel() {
    semaphore.wait()
    isCancelled = true
    events.removeAll()
    let waiting = self.waiting.take()
    semaphore.signal()
    waiting?.resume(returning: nil)
  }
}
