// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import PulseDevice
@testable import Rendering
import Testing

import Attacca

@Suite struct ReportScheduleTests {
  private func steps(
    _ schedule: ReportSchedule, count: Int = 14, mustWatchIndex: Bool,
    read: (Int) -> StreamFrame = { _ in 0 }
  ) -> [ReportSchedule.Step] {
    var schedule = schedule
    return (0..<count).map {
      schedule.next(read: read($0), mustWatchIndex: mustWatchIndex, requestInterval: 50_000_000)
    }
  }

  private var learning: ReportSchedule {
    var schedule = ReportSchedule()
    #expect(schedule.learn() == 1_100_000)
    return schedule
  }

  private func fills(_ milliseconds: [Int]) -> [ReportSchedule.Step] {
    milliseconds.map { .fill(wait: $0 * 1_000_000) }
  }

  @Test func `a clock that knows nothing gets five reports, each after twice as long`() {
    #expect(
      steps(learning, mustWatchIndex: false)
        == fills([20, 40, 80, 160, 320]) + [ReportSchedule.Step](repeating: .rest, count: 9))
  }

  // With the next one after half a second 480 ms were heard twice: such a server goes on behind its answer.
  @Test func `a server that was stopped is watched for ten reports, and one far away is not`() {
    var schedule = ReportSchedule()
    let waits = [1, 2_300, 2_100, 1, 99, 400, 400].map { schedule.answered(in: $0 * 1_000_000) }
    #expect(waits == [nil, 40_000_000, nil, nil, nil, 40_000_000, nil])
    #expect(
      steps(schedule, count: 11, mustWatchIndex: false)
        == fills([Int](repeating: 40, count: 10)) + [.rest])
    // A clock that has to be learnt comes first.
    #expect(schedule.learn() == 1_100_000)
    #expect(
      steps(schedule, count: 6, mustWatchIndex: false) == fills([20, 40, 80, 160, 320]) + [.rest])
  }

  @Test(arguments: [2, 7, 8, 20, 31])
  func
    `where only the read index shows the blocks quick reports come first until it moves, eight at least`(
      moves: Int
    )
  {
    let quick = [ReportSchedule.Step](repeating: .ask(wait: 1_100_000), count: max(8, moves))
    // Before the first answer the index is an old one.
    let steps = steps(learning, count: quick.count + 6, mustWatchIndex: true) {
      $0 == 0 ? 77 : $0 < moves ? 2_048 : 4_096
    }
    #expect(steps == quick + fills([20, 40, 80, 160, 320]) + [.rest])
  }

  @Test func `an index that stands still is watched for 32 quick reports`() {
    #expect(
      steps(learning, count: 38, mustWatchIndex: true)
        == [ReportSchedule.Step](repeating: .ask(wait: 1_100_000), count: 32)
        + fills([20, 40, 80, 160, 320]) + [.rest])
  }

  @Test func `a server that may forget to ask is asked instead, no later than it would`() {
    var schedule = learning
    schedule.skips(80, to: 100, target: 300)
    #expect(
      steps(schedule, mustWatchIndex: false) { _ in 479 }
        == fills([20, 40] + [Int](repeating: 50, count: 12)))
    let last = steps(schedule, mustWatchIndex: false) { _ in 480 }.last
    #expect(last == .rest)
  }

  /// A resume in the 2 s of a deep stream's start had the server waited for that was to ask after 2 s: a player of
  /// 60 ms ran dry every 140 ms.
  @Test func `frames that the server was not given add up, and count back with the stream`() {
    var schedule = ReportSchedule()
    schedule.asked(ahead: 96_000, of: 1_000, target: 2_880)
    #expect(schedule.asksOnlyFrom == 99_880)
    schedule.skips(900, to: 20_000, target: 2_880)
    #expect(schedule.asksOnlyFrom == 100_780)
    schedule.skips(100, to: 100_000, target: 2_880)
    #expect(schedule.asksOnlyFrom == 102_980)
    schedule.asked(ahead: 10, of: 5_000, target: 2_880)
    #expect(schedule.asksOnlyFrom == 102_980)
    schedule.count(back: 2_980)
    #expect(schedule.asksNothing(at: 99_999) && !schedule.asksNothing(at: 100_000))
    schedule.beginStream()
    #expect(!schedule.asksNothing(at: 0))
  }

  @Test func `nothing is asked before anything is to be learnt`() {
    #expect(Set(steps(ReportSchedule(), mustWatchIndex: true)) == [.rest])
    #expect(!ReportSchedule().isLearning && learning.isLearning)
  }
}
