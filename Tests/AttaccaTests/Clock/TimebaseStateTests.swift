// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import TestSeeds
import Testing

@Suite struct TimebaseStateTests {
  private let second = TimeUnits.perSecond

  @Test func `time is the anchor plus rate times what the source went on`() {
    var state = TimebaseState()
    state.set(rate: 1.5, time: 10 * second, atSource: 100 * second)
    #expect(state.time(atSource: 102 * second) == 13 * second)
    #expect(state.time(atSource: 98 * second) == 7 * second)
    state.setRate(-2, atSource: 102 * second)
    #expect(state.time(atSource: 105 * second) == 7 * second)
    state.setRate(0, atSource: 105 * second)
    #expect(state.time(atSource: 900 * second) == 7 * second)
    #expect(state.source(ofTime: 7 * second) == nil)
  }

  @Test func `a nanosecond and a tick are whole units, and a century loses none`() {
    #expect(TimeUnits.perNanosecond * 1_000_000_000 == second)
    #expect(TimeUnits.perTick * Int128(MediaTicks.perSecond) == second)
    var state = TimebaseState()
    state.set(rate: 1, time: 0, atSource: 0)
    let century = 3_155_760_000 * second + 1
    #expect(state.time(atSource: century) == century)
    state.setRate(0.5, atSource: 0)
    #expect(state.time(atSource: century) == century / 2 + 1)
  }

  @Test func `time is exact and its inverse right to a nanosecond for random rates`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      var state = TimebaseState()
      // A rate of 1/64 steps: the product in units is then an exact fraction of integers.
      let sixtyFourths = Int.random(in: -2_048...2_048, using: &random)
      let anchor = Int128(Int64.random(in: -(1 << 50)...(1 << 50), using: &random))
      let source = Int128(Int64.random(in: 0...(1 << 60), using: &random))
      let elapsed = Int128(Int64.random(in: -(1 << 55)...(1 << 55), using: &random))
      state.set(rate: Double(sixtyFourths) / 64, time: anchor, atSource: source)
      let time = state.time(atSource: source + elapsed)
      let wanted = (elapsed * Int128(sixtyFourths) + 32) >> 6
      #expect(time == anchor + wanted, "seed \(seed)")
      guard let back = state.source(ofTime: time) else {
        #expect(sixtyFourths == 0, "seed \(seed)")
        continue
      }
      let error = abs(back - (source + elapsed))
      // Half a unit of time is 32 units of the source at the slowest of these rates.
      #expect(error <= TimeUnits.perNanosecond, "seed \(seed): \(error)")
    }
  }

  @Test func `a rate near nothing stands still, and none is too steep for 300 years`() {
    var state = TimebaseState()
    state.set(rate: .leastNonzeroMagnitude, time: 5, atSource: 0)
    #expect(state.time(atSource: 1 << 72) == 5)
    #expect(state.source(ofTime: 6) == nil)
    state.set(rate: TimebaseState.highestRate, time: 0, atSource: 0)
    #expect(state.time(atSource: 1 << 72) == 1 << 72)
    #expect(state.time(atSource: -1 << 72) == -1 << 72)
  }

  @Test func `timers are due once, in the direction of time, and not while it stands`() {
    var schedule = TimerSchedule()
    for (id, time) in [30, 10, 20].enumerated() { schedule.set(Int128(time), id: id) }
    #expect(schedule.next(rate: 1) == 10 && schedule.next(rate: -1) == 30)
    #expect(schedule.next(rate: 0) == nil)
    var due = schedule.takeDue(at: 100, rate: 0)
    #expect(due == [])
    due = schedule.takeDue(at: 20, rate: 2)
    #expect(due == [1, 2])
    due = schedule.takeDue(at: 100, rate: -1)
    #expect(due == [])
    schedule.set(10, id: 1)
    due = schedule.takeDue(at: 5, rate: -1)
    #expect(due == [0, 1])
    #expect(schedule.isEmpty)
  }
}
