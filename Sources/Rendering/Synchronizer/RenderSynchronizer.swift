// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import Dispatch
public import MediaTime
import SampleBuffers

/// The clock of one or more renderers: starts and stops them together, and knows what is heard.
///
/// Driven by the clock of the first renderer's device, by the host's clock without one. All members
/// are thread-safe and return within microseconds; what they change is heard within milliseconds.
/// The corresponding AVFoundation class is `AVSampleBufferRenderSynchronizer`.
public final class RenderSynchronizer: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  let semaphore = OwnedSemaphore()
  /// Held while a change of the rate or of the renderers is noted and carried out: every renderer is told
  /// of the changes in the order in which they were noted.
  ///
  /// Taken before `semaphore` and any output's lock, and never while one of those is held.
  let changing = OwnedSemaphore()
  let observers = ObserverClock()
  private let rates = EventSource<Double>()
  var host = HostTimebase()
  var storedRate: Double = 0
  var options = SynchronizerOptions()
  var storedRenderers: [AudioRenderer] = []
  private var rateObservers: [@Sendable () -> Void] = []
  var shown = ShownTime()
  private var storedTimebase: SynchronizerTimebase?
  var starts = WaitingStarts()
  /// Observer that looks whether the renderers are together; nil while there are fewer than two.
  var following: TimeObservation?
  var removals = Removals()

  /// A synchronizer at rate 0 and time 0.
  public init() { observers.source = self }

  // MARK: Rate

  /// 0 for stopped, 1 for the natural speed: what was asked for last.
  ///
  /// Setting it starts or pauses every renderer, or has them play faster or slower: what is enqueued
  /// already is made anew, and heard within milliseconds, from the frame on that would have been
  /// heard. Media time passes at a whole number of its frames for those of the device, which
  /// `timebase.rate` tells: at 48 kHz within 21 millionths of what was asked for, up to double speed.
  ///
  /// Negative, media time goes backwards: that of a player, which decodes for it.
  ///
  /// - Precondition: 0, or in `rates`; or the negative of that where a player enqueues, to its one
  ///   renderer.
  public var rate: Double {
    get { semaphore.withLock { storedRate } }
    set { setRate(newValue) }
  }

  /// True where a start waits until every renderer has enough for it, for `longestDelay` at most; where
  /// not, the first frames start it, after an underrun too.
  ///
  /// The corresponding property is
  /// `AVSampleBufferRenderSynchronizer.delaysRateChangeUntilHasSufficientMediaData`.
  public var delaysRateChangeUntilHasSufficientMediaData: Bool {
    get { semaphore.withLock { options.waitsForSufficientData } }
    set {
      changing.withLock {
        let renderers = semaphore.withLock {
          options.waitsForSufficientData = newValue
          return storedRenderers
        }
        for renderer in renderers { renderer.setWaitsForSufficientData(newValue) }
      }
    }
  }

  /// The fades of pause and resume.
  public var fade: Fade {
    get { semaphore.withLock { options.fade } }
    set { semaphore.withLock { options.fade = newValue } }
  }

  /// The rate after each change, whoever made it, from now on; each caller has its own sequence.
  ///
  /// Ends with the synchronizer. The corresponding notification is
  /// `AVSampleBufferRenderSynchronizer.rateDidChangeNotification`.
  public var rateChanges: EventSequence<Double> { rates.subscribe() }

  /// Calls `block` after each change of the rate, on the thread that has made it.
  package func observeRate(_ block: @escaping @Sendable () -> Void) {
    semaphore.withLock { rateObservers.append(block) }
  }

  private func tellRate(from old: Double, to new: Double) {
    guard old != new else { return }
    rates.send(new)
    for observer in semaphore.withLock({ rateObservers }) { observer() }
  }

  /// The rates there are besides 0; a player's may be negative.
  ///
  /// One beyond them is taken as the nearest of them, which `rate` then reads.
  public static let rates: ClosedRange<Double> = Pace.rates

  /// `rate`, or the nearest there is.
  package static func permitted(_ rate: Double) -> Double {
    require(!rate.isNaN, "a rate that is not a number; 0 and \(rates) either way are permitted")
    guard rate != 0 else { return 0 }
    let magnitude = min(max(abs(rate), rates.lowerBound), rates.upperBound)
    return rate < 0 ? -magnitude : magnitude
  }

  /// The same where no player turns round what is enqueued.
  private static func forward(_ rate: Double) -> Double {
    require(rate.isNaN || rate >= 0, "a rate of \(rate) with a time; 0 and \(rates) are permitted")
    return permitted(rate)
  }

  private func setRate(_ rate: Double) {
    change(to: Self.permitted(rate), from: HostTime.now()) { renderer, fade in
      let frames = fade.frames(at: renderer.format.sampleRate)
      renderer.perform(rate != 0 ? .start(at: nil, fade: frames) : .stop(fade: frames))
    }
  }

  /// Permits negative rates: whoever enqueues can do so backwards.
  package func permitReverse() { semaphore.withLock { options.isReversible = true } }

  /// True where whoever enqueues can do so backwards; `changing` is held.
  private var canTurn: Bool {
    changing.assertHeld()
    let (renderers, isReversible) = semaphore.withLock { (storedRenderers, options.isReversible) }
    return isReversible && renderers.count < 2 && renderers.allSatisfy(\.isPlayers)
  }

  /// Takes note of a change from a host time on, has `carryOut` do it to each renderer, and tells of
  /// it; `time` is nil where media time goes on.
  private func change(
    to rate: Double, time: MediaTime? = nil, isHeld: Bool = false, isScheduled: Bool = false,
    from hostTime: UInt64, _ carryOut: (AudioRenderer, Fade) -> Void
  ) {
    changing.wait()
    defer { changing.signal() }
    require(
      rate >= 0 || canTurn,
      "a rate of \(rate) where no player enqueues; 0 and \(Self.rates) are permitted")
    let (renderers, fade, old) = semaphore.withLock {
      let old = storedRate
      storedRate = rate
      let ticks = time.map(MediaTicks.ticks)
      starts.cancel()
      host.set(rate: rate, ticks: ticks, at: hostTime)
      if let time, let ticks { shown.set(time, ticks: ticks, isHeld: isHeld) }
      return (storedRenderers, options.fade, old)
    }
    if rate != 0 { for renderer in renderers { renderer.setRate(rate) } }
    // At another speed it goes on; only what is not running is started.
    let isStart = rate != 0 && (old == 0 || time != nil)
    if isStart, !isScheduled, renderers.count > 1 {
      startTogether(renderers, at: time.map { RationalTime($0) }, fade: fade)
    } else if rate == 0 || isStart {
      for renderer in renderers { carryOut(renderer, fade) }
    }
    observers.timelineChanged()
    tellRate(from: old, to: rate)
  }

  /// Media time is `time` now, and goes on at `rate`; an invalid time leaves it as it is.
  ///
  /// A time beyond 323 years is held as it is given, but does not run on.
  ///
  /// The corresponding call is `AVSampleBufferRenderSynchronizer.setRate(_:time:)`.
  ///
  /// - Precondition: `rate` is not negative, `time` is invalid, or numeric and not negative.
  public func setRate(_ rate: Double, time: MediaTime) {
    guard time.isValid else { return setRate(rate) }
    let rate = Self.forward(rate)
    require(
      time.isNumeric && time >= .zero,
      "a time of \(time); invalid, 0 and later numbers are permitted")
    let exact = RationalTime(time)
    change(to: rate, time: time, isHeld: rate == 0, from: HostTime.now()) { renderer, fade in
      let frames = fade.frames(at: renderer.format.sampleRate)
      renderer.perform(
        rate > 0 ? .start(at: exact, fade: frames) : .hold(at: exact, fade: frames))
    }
  }

  /// Media time is `time` at a time of the host clock, and goes on from there at `rate`.
  ///
  /// Where that lies ahead, media time holds at `time` until then, though `rate` reads what was asked
  /// for at once; the first frame is the one that the device's clock says is heard at that host time.
  /// Where it lies behind, media time is where it would be by now. An invalid time leaves it as it
  /// is and starts at once, as does an invalid host time; a rate of 0 holds at `time` at once.
  ///
  /// Host times are those of `HostClock`. The corresponding call is
  /// `AVSampleBufferRenderSynchronizer.setRate(_:time:atHostTime:)`.
  ///
  /// - Precondition: `rate` is not negative, `time` is invalid, or numeric and not negative, and
  ///   the host time is invalid, or numeric and not negative.
  public func setRate(_ rate: Double, time: MediaTime, atHostTime hostTime: MediaTime) {
    guard time.isValid, hostTime.isValid, rate != 0 else { return setRate(rate, time: time) }
    guard let start = HostClock.nanoseconds(of: hostTime) else {
      trap("a host time of \(hostTime); invalid, 0 and later numbers are permitted")
    }
    let rate = Self.forward(rate)
    require(
      time.isNumeric && time >= .zero,
      "a time of \(time); invalid, 0 and later numbers are permitted")
    let ticks = MediaTicks.ticks(time)
    change(to: rate, time: time, isHeld: true, isScheduled: true, from: start) { renderer, fade in
      schedule(renderer, at: start, ticks: ticks, fade: fade)
    }
  }

  func schedule(
    _ renderer: AudioRenderer, at hostTime: UInt64, ticks: Int64, fade: Fade
  ) {
    renderer.perform(
      .schedule(
        atHostTime: hostTime, RationalTime(frames: ticks, rate: MediaTicks.perSecond),
        fade: fade.frames(at: renderer.format.sampleRate)))
  }

  /// The renderers, in the order in which they were added.
  public var renderers: [AudioRenderer] { semaphore.withLock { storedRenderers } }

  // MARK: Time

  /// Media time of the frame that is heard now.
  ///
  /// Never steps against its direction while time runs without a jump.
  ///
  /// The corresponding call is `AVSampleBufferRenderSynchronizer.currentTime()`.
  public func currentTime() -> MediaTime { heard().time }

  /// Media time as a timebase, for others to follow and for timers.
  ///
  /// Its rate is 0 while nothing is heard, as before a start that is on its way. The corresponding
  /// property is `AVSampleBufferRenderSynchronizer.timebase`.
  public var timebase: ReadOnlyTimebase {
    if let timebase = semaphore.withLock({ storedTimebase }) { return timebase }
    let new = SynchronizerTimebase(self)
    let timebase = semaphore.withLock {
      let timebase = storedTimebase ?? new
      storedTimebase = timebase
      return timebase
    }
    observers.follow { [weak timebase] in timebase?.sourceChanged() }
    return timebase
  }

  /// Media time of the frame that is heard now, and the traversal of media time that it belongs to.
  package func heard() -> (time: MediaTime, traversal: Int) {
    let reading = self.reading()
    let (held, renderer) = semaphore.withLock {
      (shown.heldTime(at: reading), storedRenderers.first)
    }
    if let held { return (held, reading.traversal) }
    let ticks = reading.end.map { min(reading.ticks, $0) } ?? reading.ticks
    let (value, rate) =
      if let rate = renderer?.timelineRate {
        (MediaTicks.frame(atOrAfter: ticks, at: rate).number, rate)
      } else {
        (ticks, MediaTicks.perSecond)
      }
    return (
      MediaTime(value: reading.mediaTicks(of: value), timescale: Int32(rate)), reading.traversal
    )
  }

  /// Calls `block` at every `interval` of media time while it runs, and at every jump, start and
  /// stop.
  ///
  /// `queue` is a serial queue; nil for the main queue.
  ///
  /// - Returns: the observation, which ends when it is released.
  /// - Precondition: `interval` is numeric and positive.
  public func addPeriodicTimeObserver(
    forInterval interval: MediaTime, queue: DispatchQueue? = nil,
    using block: @escaping @Sendable (MediaTime) -> Void
  ) -> TimeObservation {
    require(
      interval.isNumeric && interval > .zero,
      "an interval of \(interval); numbers above 0 are permitted")
    return observers.addPeriodic(interval: max(1, MediaTicks.ticks(interval)), queue: queue) {
      block(MediaTime(value: $0, timescale: Int32(MediaTicks.perSecond)))
    }
  }

  /// Calls `block` whenever one of `times` is crossed while media time runs, either way; once a
  /// traversal, never for times that lie behind as this is called.
  ///
  /// `queue` is a serial queue; nil for the main queue.
  ///
  /// - Returns: the observation, which ends when it is released.
  /// - Precondition: `times` is not empty and all of them are numeric.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], queue: DispatchQueue? = nil,
    using block: @escaping @Sendable () -> Void
  ) -> TimeObservation {
    require(!times.isEmpty, "a boundary observer with 0 times; 1 and more are permitted")
    require(times.allSatisfy(\.isNumeric), "boundary times of \(times); numbers are permitted")
    return observers.addBoundaries(times.map(MediaTicks.ticks), queue: queue) { _ in block() }
  }

  /// Ends an observation; one that has ended, or another synchronizer's, is left alone.
  public func removeTimeObserver(_ observation: TimeObservation) {
    if observation.owner === observers { observation.cancel() }
  }

  /// Calls once, as soon as the timeline is at or after `time`, even if that is now.
  ///
  /// `traversal` is the stretch of it that `time` belongs to; a later one is after it.
  package func addDeadline(
    _ time: RationalTime, traversal: Int, queue: DispatchQueue,
    _ block: @escaping @Sendable () -> Void
  ) -> TimeObservation {
    observers.addDeadline(MediaTicks.ticks(time), traversal: traversal, queue: queue) { _ in
      block()
    }
  }
}

extension RenderSynchronizer: ClockSource {
  package func reading() -> ClockReading {
    // Looked at and shown in one: a look from before a pause, shown behind it, moved a time that was held.
    semaphore.withLock {
      let now = HostTime.now()
      guard let renderer = storedRenderers.first else { return host.reading(atHostTime: now) }
      var reading = renderer.reading(atHostTime: now)
      shown.show(&reading)
      return reading
    }
  }

  func hostTime(ofTicks ticks: Int64) -> UInt64? {
    guard let renderer = semaphore.withLock({ storedRenderers.first }) else {
      return semaphore.withLock { host.hostTime(ofTicks: ticks) }
    }
    return renderer.hostTime(ofTicks: ticks)
  }
}
