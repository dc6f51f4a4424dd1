// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// Times of a synchronizer as they are heard, told by its clock as an observer's block would be.
///
/// One task iterates over it. It ends with the synchronizer, when the task is cancelled, or when it
/// falls 16,384 times behind, and `end` says which; the observation ends when the last copy of it and
/// its iterator is gone.
public struct TimeSequence: AsyncSequence, Sendable {
  let times: EventSequence<MediaTime>
  let observation: TimeObservation

  /// The reason for which the sequence has ended; nil while times may come or have not been received yet.
  public var end: EventSequenceEnd? { times.end }

  /// Receives one time after the other.
  public struct Iterator: AsyncIteratorProtocol {
    var times: EventSequence<MediaTime>.Iterator
    let observation: TimeObservation

    /// The next time, waiting for it if need be; nil at the end.
    public mutating func next() async -> MediaTime? { await times.next() }
  }

  /// Starts to receive.
  public func makeAsyncIterator() -> Iterator {
    Iterator(times: times.makeAsyncIterator(), observation: observation)
  }
}

@available(*, unavailable)
extension TimeSequence.Iterator: Sendable {}
