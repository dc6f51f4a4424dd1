// SPDX-License-Identifier: Apache-2.0

import Preconditions
import DequeModule
import Dispatch

/// The events that one subscriber has not received yet.
///
/// Bounded: a subscriber that falls `limit` events behind is ended, so that it notices, rather than
/// told a story with holes.
final class EventBuffer<Event: Sendable>: @unchecked Sendable {
  /// Events that may wait to be received, where nothing else is said.
  static var limit: Int { 16_384 }
  private let limit: Int

  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = OwnedSemaphore()
  private let coalesces: @Sendable (inout Event, Event) -> Bool
  private var events: Deque<Event> = []
  private var waiting: CheckedContinuation<Event?, Never>?
  private var receiver: Receiver?
  /// The receiver is being called, or about to be.
  private var isDelivering = false
  /// Reason for which nothing more is put in.
  private var reason: EventSequenceEnd?
  private var isCancelled = false

  /// Receiver that is called with the events, and told of their end.
  private struct Receiver {
    let queue: DispatchQueue
    let block: @Sendable (Event) -> Void
    let ended: @Sendable (EventSequenceEnd) -> Void
  }

  init(
    limit: Int = EventBuffer.limit,
    coalescing coalesces: @escaping @Sendable (inout Event, Event) -> Bool
  ) {
    (self.limit, self.coalesces) = (limit, coalesces)
  }

  /// True where no one will receive any more.
  var isAbandoned: Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    return isCancelled
  }

  /// Reason for which no event comes any more; nil while one may.
  var end: EventSequenceEnd? {
    semaphore.wait()
    defer { semaphore.signal() }
    return events.isEmpty ? reason : nil
  }

  func put(_ event: Event) {
    semaphore.wait()
    guard reason == nil else {
      semaphore.signal()
      return
    }
    let waiting = self.waiting.take()
    if waiting == nil {
      if events.isEmpty || !coalesces(&events[events.count - 1], event) { events.append(event) }
      if events.count > limit { reason = .fellBehind }
    }
    let queue = queueToTell()
    semaphore.signal()
    waiting?.resume(returning: event)
    queue?.async { self.drain() }
  }

  /// Has `block` called on `queue` with what is buffered and what comes, and `ended` behind the last.
  func deliver(
    on queue: DispatchQueue, _ block: @escaping @Sendable (Event) -> Void,
    ended: @escaping @Sendable (EventSequenceEnd) -> Void = { _ in }
  ) {
    semaphore.wait()
    require(waiting == nil && receiver == nil, "one subscription is received twice")
    if !isCancelled { receiver = Receiver(queue: queue, block: block, ended: ended) }
    let queue = queueToTell()
    semaphore.signal()
    queue?.async { self.drain() }
  }

  /// The receiver's queue, if it is to be told of what is buffered; with the semaphore held.
  private func queueToTell() -> DispatchQueue? {
    semaphore.assertHeld()
    guard let receiver, !isDelivering, !events.isEmpty || reason != nil else { return nil }
    isDelivering = true
    return receiver.queue
  }

  private func drain() {
    while let call = nextCall() { call() }
  }

  /// Next thing to tell the receiver; of the end only once.
  private func nextCall() -> (() -> Void)? {
    semaphore.wait()
    guard let receiver else {
      isDelivering = false
      semaphore.signal()
      return nil
    }
    if let event = events.popFirst() {
      semaphore.signal()
      return { receiver.block(event) }
    }
    isDelivering = false
    guard let reason else {
      semaphore.signal()
      return nil
    }
    self.receiver = nil
    semaphore.signal()
    return { receiver.ended(reason) }
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
        } else if reason != nil {
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
    reason = reason ?? .sourceIsGone
    let waiting = self.waiting.take()
    let queue = queueToTell()
    semaphore.signal()
    waiting?.resume(returning: nil)
    queue?.async { self.drain() }
  }

  /// The subscriber is gone.
  func cancel() {
    semaphore.wait()
    isCancelled = true
    // What has not been received is not any more.
    if reason == nil || !events.isEmpty { reason = .cancelled }
    events.removeAll()
    let waiting = self.waiting.take()
    // Its block may hold the last reference to whoever sends: let go of it without the semaphore.
    let receiver = self.receiver.take()
    semaphore.signal()
    withExtendedLifetime(receiver) {}
    waiting?.resume(returning: nil)
  }
}
