// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import MediaTime

/// A time that can be set and that runs at a rate of the host clock or of another timebase.
///
/// New, it stands still at 0. All members are thread-safe and return within microseconds. The
/// corresponding type is `CMTimebase`.
///
/// Two changes are told apart, as Apple does: `setRate(_:)` goes on from where time is, the others
/// jump, and say so in `events`.
public final class Timebase: ReadOnlyTimebase, @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of the superclass's
  // semaphore, and before anyone else has this.
  private let parent: ReadOnlyTimebase?
  private var state = TimebaseState()
  private var jumps = 0
  /// Time that it was last set to: told as it was given, while time has not left it.
  private var setTo = (units: Int128(0), time: MediaTime.zero)
  /// The reading last told of.
  private var told: TimebaseReading?

  /// A timebase that follows the host clock, or `source`.
  ///
  /// The corresponding calls are `CMTimebaseCreateWithSourceClock` and
  /// `CMTimebaseCreateWithSourceTimebase`.
  public init(source: ReadOnlyTimebase? = nil) {
    parent = source
    super.init()
    told = reading(atHostTime: HostTime.now())
    source?.addChild(self)
  }

  /// The timebase that this one follows; nil where it follows the host's clock.
  public override var sourceTimebase: ReadOnlyTimebase? { parent }

  private func sourceReading(atHostTime now: UInt64) -> TimebaseReading {
    parent?.reading(atHostTime: now)
      ?? TimebaseReading(
        time: TimeUnits.units(ofNanoseconds: now), rate: 1, effectiveRate: 1, jumps: 0)
  }

  override func reading(atHostTime now: UInt64) -> TimebaseReading {
    // Inside the lock, as a setter reads the source: a source's time read before would let a set
    // time step back.
    semaphore.withLock {
      let source = sourceReading(atHostTime: now)
      return TimebaseReading(
        time: state.time(atSource: source.time), rate: state.rate,
        effectiveRate: state.rate * source.effectiveRate, jumps: jumps + source.jumps,
        changesAt: source.changesAt)
    }
  }

  override func hostTime(ofTime time: Int128) -> UInt64? {
    guard let source = semaphore.withLock({ state.source(ofTime: time) }) else { return nil }
    if let parent { return parent.hostTime(ofTime: source) }
    return UInt64(clamping: TimeUnits.floor(source, by: TimeUnits.perNanosecond))
  }

  override func mediaTime(_ time: Int128) -> MediaTime {
    let set = semaphore.withLock { setTo }
    return set.units == time ? set.time : TimeUnits.mediaTime(time)
  }

  // MARK: Setting

  /// Time goes on at `rate` from where it is.
  ///
  /// The corresponding call is `CMTimebaseSetRate`.
  ///
  /// - Precondition: `rate` is at most 1,048,576 either way.
  public func setRate(_ rate: Double) {
    change { state, source in state.setRate(rate, atSource: source) }
  }

  /// Time is `time` now, and goes on at its rate.
  ///
  /// The corresponding call is `CMTimebaseSetTime`.
  ///
  /// - Precondition: `time` is numeric.
  public func setTime(_ time: MediaTime) {
    jump(to: time) { state, source, units in
      state.set(rate: state.rate, time: units, atSource: source)
    }
  }

  /// Time is `time` now, and goes on at `rate`.
  ///
  /// - Precondition: `time` is numeric, `rate` is at most 1,048,576 either way.
  public func setRate(_ rate: Double, time: MediaTime) {
    jump(to: time) { state, source, units in state.set(rate: rate, time: units, atSource: source) }
  }

  /// Time is `time` when the source is at `sourceTime`, which may lie ahead or behind, and runs at
  /// `rate` before and after.
  ///
  /// A source time of the host clock is `HostClock.mediaTime(ofNanoseconds:)`. The corresponding
  /// call is `CMTimebaseSetRateAndAnchorTime`.
  ///
  /// - Precondition: both times are numeric, `rate` is at most 1,048,576 either way.
  public func setRate(_ rate: Double, time: MediaTime, atSourceTime sourceTime: MediaTime) {
    require(sourceTime.isNumeric, "a source time of \(sourceTime); numbers are permitted")
    jump(to: time) { state, _, units in
      state.set(rate: rate, time: units, atSource: TimeUnits.units(sourceTime))
    }
  }

  private func jump(
    to time: MediaTime,
    _ body: (inout TimebaseState, _ source: Int128, _ units: Int128) -> Void
  ) {
    require(time.isNumeric, "a timebase's time of \(time); numbers are permitted")
    let units = TimeUnits.units(time)
    change { state, source in
      body(&state, source, units)
      jumps += 1
      setTo = (units, time)
    }
  }

  private func change(_ body: (inout TimebaseState, _ source: Int128) -> Void) {
    semaphore.withLock { body(&state, sourceReading(atHostTime: HostTime.now()).time) }
    sourceChanged()
  }

  override func sourceChanged() { telling.withLock { tell() } }

  private func tell() {
    let new = reading(atHostTime: HostTime.now())
    let old = semaphore.withLock { () -> TimebaseReading? in
      defer { told = new }
      return told
    }
    if let old { tellChange(from: old, to: new) }
  }
}
