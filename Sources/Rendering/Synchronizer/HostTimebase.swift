// SPDX-License-Identifier: Apache-2.0

/// Media time driven by the host's clock: a synchronizer without a renderer has no other.
///
/// Holds until its anchor where that lies ahead, as a scheduled start does.
struct HostTimebase {
  private var state = TimebaseState()
  private(set) var traversal = 0
  private(set) var traversalStart: Int64 = 0

  private var isReversed: Bool { state.rate < 0 }

  private func source(_ now: UInt64) -> Int128 {
    max(TimeUnits.units(ofNanoseconds: now), state.sourceAnchor)
  }

  func ticks(atHostTime now: UInt64) -> Int64 {
    TimeUnits.floor(state.time(atSource: source(now)), by: TimeUnits.perTick)
  }

  /// Returns the moment at which `ticks` of the timeline are reached.
  func hostTime(ofTicks ticks: Int64) -> UInt64? {
    let ticks = isReversed ? -ticks : ticks
    return state.source(ofTime: TimeUnits.units(ofTicks: ticks)).map {
      UInt64(clamping: TimeUnits.floor($0, by: TimeUnits.perNanosecond))
    }
  }

  /// The host time until which a start that was scheduled holds; nil without one.
  func holdsUntil(_ now: UInt64) -> UInt64? {
    let start = UInt64(clamping: TimeUnits.floor(state.sourceAnchor, by: TimeUnits.perNanosecond))
    return state.rate != 0 && start > now ? start : nil
  }

  func reading(atHostTime now: UInt64) -> ClockReading {
    let changesAt = holdsUntil(now)
    let ticks = ticks(atHostTime: now)
    return ClockReading(
      ticks: isReversed ? -ticks : ticks, traversal: traversal,
      traversalStart: isReversed ? -traversalStart : traversalStart,
      speed: changesAt == nil ? abs(state.rate) : 0, isReversed: isReversed, changesAt: changesAt)
  }

  /// Time is `ticks` at host time `now`, or what it is then; and runs from there on, or not.
  mutating func set(rate: Double, ticks: Int64?, at now: UInt64) {
    if ticks != nil || (rate < 0) != isReversed {
      traversal += 1
      traversalStart = ticks ?? self.ticks(atHostTime: now)
    }
    let ticks = ticks ?? self.ticks(atHostTime: now)
    state.set(
      rate: rate, time: TimeUnits.units(ofTicks: ticks),
      atSource: TimeUnits.units(ofNanoseconds: now))
  }
}
