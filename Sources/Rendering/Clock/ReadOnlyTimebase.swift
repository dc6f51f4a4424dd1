// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import Dispatch
public import MediaTime

/// A time that runs at a rate of its source's, and that its reader cannot set.
///
/// Read from any thread. A `Timebase` can be set; `RenderSynchronizer.timebase` is driven by what is
/// heard. The corresponding type is `CMTimebase`.
public class ReadOnlyTimebase: @unchecked Sendable {
  private struct Child {
    weak var timebase: ReadOnlyTimebase?
  }

  // @unchecked: `children` is touched only between wait and signal of `semaphore`; the subclasses,
  // all of this module, say the same of their own.
  let semaphore = DispatchSemaphore(value: 1)
  /// Held while a change is told: changes are told in the order in which they are seen.
  ///
  /// A timebase's is taken before those of its followers, and before any `semaphore`.
  let telling = DispatchSemaphore(value: 1)
  private var children: [Child] = []
  private let source = EventSource<TimebaseEvent>()
  private let timers = TimebaseTimers()

  init() { timers.timebase = self }

  // MARK: What a kind of timebase tells

  /// Returns what it shows at a host time, which is about now.
  func reading(atHostTime now: UInt64) -> TimebaseReading {
    trap("\(Self.self) shows no time")
  }

  /// The host time at which it gets to `time` if nothing changes; nil if it does not.
  func hostTime(ofTime time: Int128) -> UInt64? {
    trap("\(Self.self) shows no time")
  }

  /// The timebase that this one follows; nil where it follows a clock.
  ///
  /// The corresponding call is `CMTimebaseCopySourceTimebase`.
  public var sourceTimebase: ReadOnlyTimebase? { nil }

  // MARK: Reading

  /// The time now: as it was set while it stands still, else in nanoseconds.
  ///
  /// The corresponding call is `CMTimebaseGetTime`.
  public var time: MediaTime { timeAndRate.time }

  /// Seconds that pass in a second of its source, 0 while it stands still; negative backwards.
  ///
  /// The corresponding call is `CMTimebaseGetRate`.
  public var rate: Double { reading(atHostTime: HostTime.now()).rate }

  /// Seconds that pass in a second of the clock at the end of the chain.
  ///
  /// The corresponding call is `CMTimebaseGetEffectiveRate`.
  public var effectiveRate: Double { reading(atHostTime: HostTime.now()).effectiveRate }

  /// Time and rate of the same moment.
  ///
  /// The corresponding call is `CMTimebaseGetTimeAndRate`.
  public var timeAndRate: (time: MediaTime, rate: Double) {
    let reading = reading(atHostTime: HostTime.now())
    return (mediaTime(reading.time), reading.rate)
  }

  /// `time` as it is told.
  func mediaTime(_ time: Int128) -> MediaTime { TimeUnits.mediaTime(time) }

  // MARK: Timers and events

  /// Calls `block` on `queue` when the timebase gets to `time`, whatever jumps and changes of rate
  /// come before.
  ///
  /// `time` is taken as by `TimebaseTimer.setNextFireTime`.
  ///
  /// - Returns: the timer, which ends when it is released.
  public func addTimer(
    at time: MediaTime, queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
  ) -> TimebaseTimer {
    let timer = timers.add(queue: queue, block)
    timer.setNextFireTime(time)
    return timer
  }

  /// Changes of the effective rate and jumps from now on; each caller has its own sequence.
  ///
  /// Its own changes, and those of what it follows.
  public var events: EventSequence<TimebaseEvent> { source.subscribe() }

  /// Tells `child` of every change from now on, for as long as it is there.
  func addChild(_ child: ReadOnlyTimebase) {
    semaphore.withLock {
      children.removeAll { $0.timebase == nil }
      children.append(Child(timebase: child))
    }
  }

  /// Tells timers, subscribers and followers what is different in `new`.
  ///
  /// With `telling` held.
  func tellChange(from old: TimebaseReading, to new: TimebaseReading) {
    timers.timeChanged()
    if old.jumps != new.jumps { source.send(.timeJumped(to: mediaTime(new.time))) }
    if old.effectiveRate != new.effectiveRate {
      source.send(
        .effectiveRateDidChange(rate: new.effectiveRate, at: mediaTime(new.time)))
    }
    for child in semaphore.withLock({ children }) { child.timebase?.sourceChanged() }
  }

  /// The source that it follows is different.
  func sourceChanged() {}
}
