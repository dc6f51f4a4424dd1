// SPDX-License-Identifier: Apache-2.0

import Preconditions
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
  private var receiver: (queue: DispatchQueue, block: @Sendable (Event) -> Void)?
  /// The receiver is being called, or about to be.
  private var isDelivering = false
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
    let queue = queueToTell()
    semaphore.signal()
    waiting?.resume(returning: event)
    queue?.async { self.drain() }
  }

  /// Has `block` called on `queue` with what is buffered and what comes.
  func deliver(on queue: DispatchQueue, _ block: @escaping @Sendable (Event) -> Void) {
    semaphore.wait()
    require(waiting == nil && receiver == nil, "one subscription is received twice")
    if !isCancelled { receiver = (queue, block) }
    let queue = queueToTell()
    semaphore.signal()
    queue?.async { self.drain() }
  }

  /// The receiver's queue, if it is to be told of what is buffered; with the semaphore held.
  private func queueToTell() -> DispatchQueue? {
    guard let receiver, !isDelivering, !events.isEmpty else { return nil }
    isDelivering = true
    return receiver.queue
  }

  private func drain() {
    while let (event, block) = nextToDeliver() { block(event) }
  }

  private func nextToDeliver() -> (Event, @Sendable (Event) -> Void)? {
    semaphore.wait()
    defer { semaphore.signal() }
    guard let receiver, let event = events.popFirst() else {
      isDelivering = false
      return nil
    }
    return (event, receiver.block)
  }

  /// The next event; nil at the end.
  func next() async -> Event? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        semaphore.wait()
        require(
          waiting == nil && receiver == nil, "one subscription is received twice")
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
    // Its block may hold the last reference to whoever sends: let go of it without the semaphore.
    let receiver = self.receiver.take()
    semaphore.signal()
    withExtendedLifetime(receiver) {}
    waiting?.resume(returning: nil)
  }
}
