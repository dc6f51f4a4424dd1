// SPDX-License-Identifier: Apache-2.0

public import Dispatch

/// Events in the order in which they happened, from the moment of subscribing on.
///
/// One task iterates over one subscription; it ends when the source is gone, when the task is
/// cancelled, or when it falls 16,384 events behind; `end` says which.
public struct EventSequence<Event: Sendable>: AsyncSequence, Sendable {
  /// Ends the subscription when the last copy of the sequence and its iterator is gone.
  final class Owner: Sendable {
    let events: EventBuffer<Event>
    init(_ events: EventBuffer<Event>) { self.events = events }
    deinit { events.cancel() }
  }

  let buffer: Owner

  /// The reason for which the sequence has ended; nil while events may come or have not been received yet.
  public var end: EventSequenceEnd? { buffer.events.end }

  /// Receives one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: Owner

    /// The next event, waiting for it if need be; nil at the end.
    public mutating func next() async -> Event? { await buffer.events.next() }
  }

  /// Calls `block` on `queue` with each event, instead of iterating.
  ///
  /// For programs without tasks: the first task, or block on a global queue, has libdispatch wake
  /// once a second from then on, to watch over the threads of those. Of one subscription events are
  /// either iterated over or observed, once.
  ///
  /// `ended` is called on `queue`, behind the last event, where the source is gone or this fell behind;
  /// not where the observation is cancelled.
  public func observe(
    on queue: DispatchQueue, using block: @escaping @Sendable (Event) -> Void,
    ended: @escaping @Sendable (EventSequenceEnd) -> Void = { _ in }
  ) -> EventObservation<Event> {
    buffer.events.deliver(on: queue, block, ended: ended)
    return EventObservation(buffer: buffer)
  }

  /// Starts to receive.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }
}

@available(*, unavailable)
extension EventSequence.Iterator: Sendable {}
