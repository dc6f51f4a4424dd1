// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import MediaTime

/// The clock of one or more renderers: starts and stops them together, and knows what is heard.
///
/// Driven by the clock of the first renderer's device, by the host's clock without one. All members
/// are thread-safe and return within microseconds; what they change is heard within milliseconds.
/// The corresponding AVFoundation class is `AVSampleBufferRenderSynchronizer`.
public final class RenderSynchronizer: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  let observers = ObserverClock()
  private let rates = EventSource<Double>()
  private var host = HostTimebase()
  private var storedRate: Double = 0
  private var storedRenderers: [AudioRenderer] = []
  private var storedFade = Fade.standard
  private var rateObservers: [@Sendable () -> Void] = []
  /// The greatest reading of the present traversal: the clock does not step back.
  private var latest = (traversal: -1, ticks: Int64.min)
  /// The time that was asked for, exactly, while it is what is held.
  private var heldTime: (ticks: Int64, time: MediaTime)?
  private var storedTimebase: SynchronizerTimebase?

  /// A synchronizer at rate 0 and time 0.
  public init() { observers.source = self }

  private func locked<R>(_ body: () -> R) -> R {
    semaphore.wait()
    defer { semaphore.signal() }
    return body()
  }

  // MARK: Rate

  /// 0 for stopped, 1 for the natural speed: what was asked for last.
  ///
  /// Setting it starts or pauses every renderer.
  ///
  /// - Precondition: 0 or 1.
  public var rate: Double {
    get { locked { storedRate } }
    set { setRate(newValue) }
  }

  /// The fades of pause and resume.
  public var fade: Fade {
    get { locked { storedFade } }
    set { locked { storedFade = newValue } }
  }

  /// The rate after each change, whoever made it, from now on; each caller has its own sequence.
  ///
  /// Ends with the synchronizer. The corresponding notification is
  /// `AVSampleBufferRenderSynchronizer.rateDidChangeNotification`.
  public var rateChanges: EventSequence<Double> { rates.subscribe() }

  /// Calls `block` after each change of the rate, on the thread that has made it.
  func observeRate(_ block: @escaping @Sendable () -> Void) {
    locked { rateObservers.append(block) }
  }

  private func tellRate(from old: Double, to new: Double) {
    guard old != new else { return }
    rates.send(new)
    for observer in locked({ rateObservers }) { observer() }
  }

  private func setRate(_ rate: Double) {
    precondition(rate == 0 || rate == 1, "a rate of \(rate)")
    change(to: rate, from: HostTime.now()) { renderer, fade in
      let frames = fade.frames(at: renderer.sampleRate)
      renderer.perform(rate > 0 ? .start(media: nil, fade: frames) : .stop(fade: frames))
    }
  }

  /// Takes note of a change from a host time on, has `carryOut` do it to each renderer, and tells of
  /// it; `time` is nil where media time goes on.
  private func change(
    to rate: Double, time: MediaTime? = nil, isHeld: Bool = false, from hostTime: UInt64,
    _ carryOut: (AudioRenderer, Fade) -> Void
  ) {
    let (renderers, fade, old) = locked {
      let old = storedRate
      storedRate = rate
      let ticks = time.map(MediaTicks.ticks)
      host.set(isRunning: rate > 0, ticks: ticks, at: hostTime)
      if let time, let ticks { heldTime = isHeld ? (ticks, time) : nil }
      return (storedRenderers, storedFade, old)
    }
    for renderer in renderers { carryOut(renderer, fade) }
    observers.timelineChanged()
    tellRate(from: old, to: rate)
  }

  /// Media time is `time` now, and goes on at `rate`; an invalid time leaves it as it is.
  ///
  /// The corresponding call is `AVSampleBufferRenderSynchronizer.setRate(_:time:)`.
  ///
  /// - Precondition: `rate` is 0 or 1, `time` is invalid, or numeric and not negative.
  public func setRate(_ rate: Double, time: MediaTime) {
    guard time.isValid else { return setRate(rate) }
    precondition(rate == 0 || rate == 1, "a rate of \(rate)")
    precondition(time.isNumeric && time >= .zero, "a time of \(time)")
    change(to: rate, time: time, isHeld: rate == 0, from: HostTime.now()) { renderer, fade in
      let sampleRate = renderer.sampleRate
      let media = MediaTicks.frame(nearest: time, at: sampleRate)
      let frames = fade.frames(at: sampleRate)
      renderer.perform(
        rate > 0 ? .start(media: media, fade: frames) : .hold(media: media, fade: frames))
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
  /// - Precondition: `rate` is 0 or 1, `time` is invalid, or numeric and not negative, and the host
  ///   time is invalid, or numeric and not negative.
  public func setRate(_ rate: Double, time: MediaTime, atHostTime hostTime: MediaTime) {
    guard time.isValid, hostTime.isValid, rate != 0 else { return setRate(rate, time: time) }
    guard let start = HostClock.nanoseconds(of: hostTime) else {
      preconditionFailure("a host time of \(hostTime)")
    }
    precondition(rate == 1, "a rate of \(rate)")
    precondition(time.isNumeric && time >= .zero, "a time of \(time)")
    let ticks = MediaTicks.ticks(time)
    change(to: rate, time: time, isHeld: true, from: start) { renderer, fade in
      schedule(renderer, at: start, ticks: ticks, fade: fade)
    }
  }

  private func schedule(
    _ renderer: AudioRenderer, at hostTime: UInt64, ticks: Int64, fade: Fade
  ) {
    let rate = renderer.sampleRate
    let media = RationalTime(frames: ticks, rate: MediaTicks.perSecond).frames(at: rate)
    renderer.perform(
      .schedule(atHostTime: hostTime, media: media, fade: fade.frames(at: rate)))
  }

  // MARK: Renderers

  /// The renderers, in the order in which they were added.
  public var renderers: [AudioRenderer] { locked { storedRenderers } }

  /// Makes `renderer` follow this clock, and drive it if it is the first.
  ///
  /// - Precondition: it has not been added to this synchronizer before.
  public func addRenderer(_ renderer: AudioRenderer) {
    let (rate, time) = (self.rate, currentTime())
    locked {
      precondition(!storedRenderers.contains { $0 === renderer }, "a renderer was added twice")
      storedRenderers.append(renderer)
      latest = (-1, .min)
    }
    renderer.output.withLock {
      renderer.timelineChanged = { [weak observers] in observers?.timelineChanged() }
    }
    let media = RationalTime(time).frames(at: renderer.sampleRate)
    renderer.perform(.hold(media: media, fade: 0))
    let now = HostTime.now()
    let (start, ticks) = locked { (host.holdsUntil(now), host.ticks(atHostTime: now)) }
    if rate > 0, let start {
      schedule(renderer, at: start, ticks: ticks, fade: .none)
    } else if rate > 0 {
      renderer.perform(.start(media: nil, fade: 0))
    }
    observers.timelineChanged()
  }

  /// Stops `renderer` and lets it go; nothing happens if it is not here.
  ///
  /// - Returns: whether it was here.
  @discardableResult
  public func removeRenderer(_ renderer: AudioRenderer) -> Bool {
    let ticks = reading().ticks
    let wasHere = locked {
      guard let i = storedRenderers.firstIndex(where: { $0 === renderer }) else { return false }
      storedRenderers.remove(at: i)
      if i == 0 { host.set(isRunning: storedRate > 0, ticks: ticks, at: HostTime.now()) }
      latest = (-1, .min)
      return true
    }
    if wasHere {
      renderer.perform(.stop(fade: fade.frames(at: renderer.sampleRate)))
      observers.timelineChanged()
    }
    return wasHere
  }

  // MARK: Time

  /// What is heard now.
  ///
  /// Never steps back while time runs without a jump.
  ///
  /// The corresponding call is `AVSampleBufferRenderSynchronizer.currentTime()`.
  public func currentTime() -> MediaTime { heard().time }

  /// What is heard as a timebase, for others to follow and for timers.
  ///
  /// Its rate is 0 while nothing is heard, as before a start that is on its way. The corresponding
  /// property is `AVSampleBufferRenderSynchronizer.timebase`.
  public var timebase: ReadOnlyTimebase {
    if let timebase = locked({ storedTimebase }) { return timebase }
    let new = SynchronizerTimebase(self)
    let timebase = locked {
      let timebase = storedTimebase ?? new
      storedTimebase = timebase
      return timebase
    }
    observers.follow { [weak timebase] in timebase?.sourceChanged() }
    return timebase
  }

  /// What is heard now, and the traversal of media time that it belongs to.
  func heard() -> (time: MediaTime, traversal: Int) {
    let reading = self.reading()
    let (held, renderer) = locked { (heldTime, storedRenderers.first) }
    if let held, held.ticks == reading.ticks { return (held.time, reading.traversal) }
    let (value, rate) =
      if let rate = renderer?.sampleRate {
        (MediaTicks.frame(atOrAfter: reading.ticks, at: rate), rate)
      } else {
        (reading.ticks, MediaTicks.perSecond)
      }
    return (MediaTime(value: value, timescale: Int32(rate)), reading.traversal)
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
    precondition(interval.isNumeric && interval > .zero, "an interval of \(interval)")
    return observers.addPeriodic(interval: max(1, MediaTicks.ticks(interval)), queue: queue) {
      block(MediaTime(value: $0, timescale: Int32(MediaTicks.perSecond)))
    }
  }

  /// Calls `block` whenever one of `times` is crossed while media time runs; once a traversal,
  /// never for times that lie behind.
  ///
  /// `queue` is a serial queue; nil for the main queue.
  ///
  /// - Returns: the observation, which ends when it is released.
  /// - Precondition: `times` is not empty and all of them are numeric.
  public func addBoundaryTimeObserver(
    forTimes times: [MediaTime], queue: DispatchQueue? = nil,
    using block: @escaping @Sendable () -> Void
  ) -> TimeObservation {
    precondition(!times.isEmpty, "a boundary observer without a time")
    precondition(times.allSatisfy(\.isNumeric), "a boundary observer's time is not numeric")
    return observers.addBoundaries(times.map(MediaTicks.ticks), queue: queue) { _ in block() }
  }

  /// Ends an observation; one that has ended, or another synchronizer's, is left alone.
  public func removeTimeObserver(_ observation: TimeObservation) {
    if observation.owner === observers { observation.cancel() }
  }

  /// Calls once, as soon as media time is at or after `time`, even if that is now.
  ///
  /// `traversal` is the stretch of media time that `time` belongs to; a later one is after it.
  func addDeadline(
    _ time: RationalTime, traversal: Int, queue: DispatchQueue,
    _ block: @escaping @Sendable () -> Void
  ) -> TimeObservation {
    observers.addDeadline(
      time.frames(at: MediaTicks.perSecond), traversal: traversal, queue: queue
    ) { _ in block() }
  }
}

extension RenderSynchronizer: ClockSource {
  func reading() -> ClockReading {
    let now = HostTime.now()
    guard let renderer = locked({ storedRenderers.first }) else {
      return locked { host.reading(atHostTime: now) }
    }
    var reading = renderer.reading(atHostTime: now)
    locked {
      if latest.traversal == reading.traversal {
        reading.ticks = max(reading.ticks, latest.ticks)
      }
      if reading.traversal >= latest.traversal { latest = (reading.traversal, reading.ticks) }
    }
    return reading
  }

  func hostTime(ofTicks ticks: Int64) -> UInt64? {
    guard let renderer = locked({ storedRenderers.first }) else {
      return locked { host.hostTime(ofTicks: ticks) }
    }
    return renderer.hostTime(ofTicks: ticks)
  }
}
