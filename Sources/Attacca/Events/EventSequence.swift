// SPDX-License-Identifier: Apache-2.0

/// Events in the order in which they happened, from the moment of subscribing on.
///
/// One task iterates over one subscription; it ends when the source is gone, when the task is
/// cancelled, or when it falls 16,384 events behind.
public struct EventSequence<Event: Sendable>: AsyncSequence, Sendable {
  /// Ends the subscription when the last copy of the sequence and its iterator is gone.
  final class Owner: Sendable {
    let events: EventBuffer<Event>
    init(_ events: EventBuffer<Event>) { self.events = events }
    deinit { events.cancel() }
  }

  let buffer: Owner

  /// Receives one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let buffer: Owner

    /// The next event, waiting for it if need be; nil at the end.
    public mutating func next() async -> Event? { await buffer.events.next() }
  }

  /// Starts to receive.
  public func makeAsyncIterator() -> Iterator { Iterator(buffer: buffer) }
}

@available(*, unavailable)
extension EventSequence.Iterator: Sendable {}
