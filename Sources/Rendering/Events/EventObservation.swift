// SPDX-License-Identifier: Apache-2.0

/// A block that is called with each event, for as long as this is kept: released or cancelled, it is
/// not called again.
public final class EventObservation<Event: Sendable>: Sendable {
  private let buffer: EventSequence<Event>.Owner

  init(buffer: EventSequence<Event>.Owner) { self.buffer = buffer }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// After it returns no new call starts; one under way on another thread may still run. Calling it
  /// again does nothing.
  public func cancel() { buffer.events.cancel() }
}
