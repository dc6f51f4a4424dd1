// SPDX-License-Identifier: Apache-2.0

/// Callbacks of those above a renderer, who are told what becomes of it, with the output's lock held.
struct RendererCallbacks {
  /// Events that nobody asked for, for any number of subscribers.
  let events = EventSource<RendererEvent>()
  /// Told what happens by itself; before subscribers are.
  var observer: (@Sendable (RendererEvent) -> Void)?
  /// Told that a flush has discarded content.
  var discarded: (@Sendable () -> Void)?
  /// Told that what the line holds is to be made anew for another pace.
  var paceChanged: (@Sendable () -> Void)?
  /// Told once that there is enough to start with.
  var primed: (@Sendable () -> Void)?
  /// Told that the line goes on that waited for a preroll.
  var wentOn: (@Sendable () -> Void)?
  /// Told that media time moves otherwise than it did, or that the clock is known anew.
  var timelineChanged: (@Sendable () -> Void)?

  /// Tells the observer and the subscribers of `event`.
  func send(_ event: RendererEvent) {
    observer?(event)
    events.send(event)
  }
}
