// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Sends events to every subscriber, each with a buffer of its own; sending never waits.
package final class EventSource<Event: Sendable>: @unchecked Sendable {
  // @unchecked: `subscribers` is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var subscribers: [EventBuffer<Event>] = []
  private let coalesces: @Sendable (inout Event, Event) -> Bool
  /// Events that may wait for a subscriber.
  private let limit: Int

  /// Events that may wait for a subscriber, where nothing else is said.
  package static var usualLimit: Int { EventBuffer<Event>.limit }

  /// A source without subscribers.
  ///
  /// - Parameters:
  ///   - limit: Events that may wait for a subscriber: one that is behind by more is ended.
  ///   - coalesces: makes the first event, which comes just before the second and has not been
  ///   received yet, say what both do; or returns false.
  package init(
    limit: Int = EventSource.usualLimit,
    coalescing coalesces: @escaping @Sendable (inout Event, Event) -> Bool = { _, _ in false }
  ) {
    (self.limit, self.coalesces) = (limit, coalesces)
  }

  deinit {
    for subscriber in subscribers { subscriber.finish() }
  }

  /// True while a subscription that has not been cancelled is left.
  var hasSubscribers: Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    return !subscribers.allSatisfy { $0.isAbandoned }
  }

  /// A sequence of the events from now on.
  package func subscribe() -> EventSequence<Event> {
    let buffer = EventBuffer<Event>(limit: limit, coalescing: coalesces)
    semaphore.wait()
    defer { semaphore.signal() }
    subscribers.append(buffer)
    return EventSequence(buffer: EventSequence.Owner(buffer))
  }

  /// Hands `event` to every subscriber.
  ///
  /// Any thread.
  package func send(_ event: Event) {
    semaphore.wait()
    subscribers.removeAll { $0.isAbandoned }
    let receivers = subscribers
    semaphore.signal()
    for receiver in receivers { receiver.put(event) }
  }
}
