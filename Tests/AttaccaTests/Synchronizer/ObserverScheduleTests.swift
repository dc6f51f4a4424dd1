// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import Testing

@Suite struct ObserverScheduleTests {
  @Test func `a boundary is due once in a traversal, in the order of time`() {
    var schedule = ObserverSchedule()
    var told = schedule.jumped(to: 0)
    schedule.addBoundaries([30, 10, 20], id: 1)
    schedule.addBoundaries([20, 5], id: 2)
    told += schedule.ran(to: 20, traversal: 0).map(\.id)
    #expect(told == [2, 1, 1, 2])
    told = schedule.ran(to: 20, traversal: 0).map(\.id)
    #expect(told == [])
    told = schedule.ran(to: 100, traversal: 0).map(\.id)
    #expect(told == [1])
    told = schedule.jumped(to: 15) + schedule.ran(to: 25, traversal: 1).map(\.id)
    #expect(told == [1, 2])
  }

  @Test(arguments: [false, true])
  func `boundaries that time has crossed since they were asked for are told at once`(
    isReversed: Bool
  ) {
    let sign: Int64 = isReversed ? -1 : 1
    var schedule = ObserverSchedule()
    _ = schedule.jumped(to: 0, isReversed: isReversed)
    _ = schedule.ran(to: 50, traversal: 0)
    let told = schedule.addBoundaries([40, 50, 10, 30, 60].map { sign * $0 }, id: 1, since: 10)
    #expect(told.map(\.told) == [30, 40, 50].map { sign * $0 })
    // Once each.
    #expect(schedule.ran(to: 70, traversal: 0).map(\.told) == [sign * 60])
    #expect(schedule.addBoundaries([sign * 65], id: 2, since: 70).isEmpty)
  }

  @Test func `a boundary is told as itself, to a periodic observer what is heard`() {
    var schedule = ObserverSchedule()
    _ = schedule.jumped(to: 0)
    schedule.addBoundaries([10, 20], id: 1)
    schedule.addPeriodic(interval: 15, id: 2, now: 0)
    let due = schedule.ran(to: 25, traversal: 0)
    #expect(due.map(\.id) == [2, 1, 1])
    #expect(due.map(\.told) == [25, 10, 20])
  }

  @Test func `a boundary that lies behind when it is added is not due`() {
    var schedule = ObserverSchedule()
    var told = schedule.jumped(to: 50)
    schedule.addBoundaries([10, 50, 51], id: 1)
    told += schedule.ran(to: 200, traversal: 0).map(\.id)
    #expect(told == [1])
  }

  @Test func `a late look tells a periodic observer once and keeps its grid`() {
    var schedule = ObserverSchedule()
    schedule.addPeriodic(interval: 10, id: 1, now: 3)
    var told = schedule.ran(to: 3, traversal: 0).map(\.id)
    #expect(told == [1])
    #expect(schedule.nextDue(in: 0) == 13)
    told = schedule.ran(to: 47, traversal: 0).map(\.id)
    #expect(told == [1])
    #expect(schedule.nextDue(in: 0) == 53)
    told = schedule.jumped(to: 5)
    #expect(told == [1])
    #expect(schedule.nextDue(in: 1) == 15)
  }

  @Test func `a deadline is due once, at its time or when its traversal is over`() {
    var schedule = ObserverSchedule()
    schedule.addDeadline(100, traversal: 1, id: 1)
    schedule.addDeadline(100, traversal: 0, id: 2)
    var told = schedule.ran(to: 99, traversal: 0).map(\.id)
    #expect(told == [])
    told = schedule.ran(to: 5, traversal: 1).map(\.id)
    #expect(told == [2])
    told = schedule.ran(to: 100, traversal: 1).map(\.id)
    #expect(told == [1])
    #expect(schedule.isEmpty)
  }

  @Test func `a removed observer is due no more`() {
    var schedule = ObserverSchedule()
    var told = schedule.jumped(to: 0)
    schedule.addBoundaries([10], id: 1)
    schedule.addPeriodic(interval: 10, id: 2, now: 5)
    schedule.addDeadline(10, traversal: 0, id: 3)
    for id in 1...4 { schedule.remove(id: id) }
    told += schedule.ran(to: 100, traversal: 0).map(\.id)
    #expect(told == [])
    #expect(schedule.isEmpty)
  }

  @Test func `the next time is right among ten thousand boundaries`() {
    var schedule = ObserverSchedule()
    _ = schedule.jumped(to: 0)
    schedule.addBoundaries((1...10_000).map { Int64(10 * $0) }, id: 1)
    for frame in stride(from: Int64(1), to: 100_000, by: 997) {
      _ = schedule.ran(to: frame, traversal: 0)
      #expect(schedule.nextDue(in: 0) == (frame / 10 + 1) * 10)
    }
  }

  @Test func `a timebase runs from where it is set and holds exactly where it stops`() {
    var host = HostTimebase()
    host.set(rate: 1, ticks: 500, at: 1_000_000_000)
    #expect(host.ticks(atHostTime: 3_000_000_000) == 500 + 2 * 28_224_000)
    #expect(host.ticks(atHostTime: 0) == 500)
    #expect(host.hostTime(ofTicks: 500 + 28_224_000) == 2_000_000_000)
    host.set(rate: 0, ticks: nil, at: 2_000_000_000)
    #expect(host.ticks(atHostTime: 9_000_000_000) == 500 + 28_224_000)
    #expect(host.hostTime(ofTicks: 500) == nil)
    #expect(host.traversal == 1 && host.traversalStart == 500)
  }
}
