// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// Calls a block when a timebase gets to a time, for as long as it is kept.
///
/// Made by `ReadOnlyTimebase.addTimer`. It fires once for each time that is set. The corresponding
/// calls are `CMTimebaseAddTimerDispatchSource` and its relatives.
public final class TimebaseTimer: Sendable {
  private let id: Int
  private let timers: TimebaseTimers

  init(id: Int, timers: TimebaseTimers) { (self.id, self.timers) = (id, timers) }

  deinit { timers.remove(id: id) }

  /// Fires when the timebase is at `time` or has passed it, soon if that is now; never at a time
  /// that is not numeric, nor while the timebase stands still.
  ///
  /// The corresponding call is `CMTimebaseSetTimerDispatchSourceNextFireTime`.
  public func setNextFireTime(_ time: MediaTime) {
    timers.set(time.isNumeric ? TimeUnits.units(time) : nil, id: id)
  }

  /// Fires now, whatever the time, and keeps the time that is set.
  ///
  /// The corresponding call is `CMTimebaseSetTimerDispatchSourceToFireImmediately`.
  public func fireImmediately() { timers.fire(id: id) }

  /// Ends the timer: after it returns no new call starts.
  ///
  /// Calling it again does nothing.
  public func cancel() { timers.remove(id: id) }
}
