// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Rendering

/// A playlist as it was at one moment, and every difference since, in order and without a hole.
///
/// It ends when the playlist is gone, when the task that iterates is cancelled, or when that falls
/// 16,384 differences behind: take a new one then, and begin from its snapshot. `end` says which.
public struct PlaylistChanges: AsyncSequence, Sendable {
  /// The items that the first difference applies to.
  public let snapshot: PlaylistItems
  let serialNumber: Int
  let events: EventSequence<PlaylistDifference>

  /// Why it has ended; nil while differences may come or have not been received yet.
  public var end: EventSequenceEnd? { events.end }

  /// Receives one difference after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let serialNumber: Int
    var events: EventSequence<PlaylistDifference>.Iterator

    /// The next difference, waiting for it if need be; nil at the end.
    public mutating func next() async -> PlaylistDifference? {
      while let difference = await events.next() {
        // What came before the snapshot may still have been on its way.
        if difference.serialNumber > serialNumber { return difference }
      }
      return nil
    }
  }

  /// Calls `block` on `queue` for each difference, in order, until the observation is cancelled or freed.
  ///
  /// For programs without tasks, as `EventSequence.observe(on:using:ended:)`, which says when `ended` is called.
  public func observe(
    on queue: DispatchQueue, using block: @escaping @Sendable (PlaylistDifference) -> Void,
    ended: @escaping @Sendable (EventSequenceEnd) -> Void = { _ in }
  ) -> EventObservation<PlaylistDifference> {
    let serialNumber = serialNumber
    return events.observe(on: queue) { difference in
      // As for an iterator.
      if difference.serialNumber > serialNumber { block(difference) }
    } ended: {
      ended($0)
    }
  }

  /// Starts to receive.
  public func makeAsyncIterator() -> Iterator {
    Iterator(serialNumber: serialNumber, events: events.makeAsyncIterator())
  }
}

@available(*, unavailable)
extension PlaylistChanges.Iterator: Sendable {}
