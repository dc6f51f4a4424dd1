// SPDX-License-Identifier: Apache-2.0

/// Timers of a timebase, and those that are due: a pure value over times in `TimeUnits`.
///
/// A timer is due once, when time moves at or past its time in the direction it moves in.
struct TimerSchedule {
  private var times: [Int: Int128] = [:]

  var isEmpty: Bool { times.isEmpty }

  /// Timer `id` is due at `time`, and no more at any it had before; nil for never.
  mutating func set(_ time: Int128?, id: Int) { times[id] = time }

  /// Takes the timers that are due at `time`, the earliest first; they are due no more.
  mutating func takeDue(at time: Int128, rate: Double) -> [Int] {
    guard rate != 0 else { return [] }
    let due = times.filter { rate > 0 ? $0.value <= time : $0.value >= time }
    for id in due.keys { times[id] = nil }
    return due.sorted {
      $0.value == $1.value ? $0.key < $1.key : ($0.value < $1.value) == (rate > 0)
    }.map(\.key)
  }

  /// The time at which someone is due next if it moves on at `rate`.
  func next(rate: Double) -> Int128? {
    rate == 0 ? nil : rate > 0 ? times.values.min() : times.values.max()
  }
}
