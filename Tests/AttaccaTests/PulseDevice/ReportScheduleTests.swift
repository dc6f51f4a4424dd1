// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import PulseDevice
@testable import Rendering
import Testing

import Attacca

@Suite struct ReportScheduleTests {
  private func steps(
    _ schedule: ReportSchedule, read: StreamFrame = 0, mustWatchIndex: Bool
  ) -> [ReportSchedule.Step] {
    var schedule = schedule
    return (0..<14).map { _ in
      schedule.next(read: read, mustWatchIndex: mustWatchIndex, requestInterval: 50_000_000)
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

  @Test func `eight quick reports come first where only the read index shows the blocks`() {
    #expect(
      steps(learning, mustWatchIndex: true)
        == [ReportSchedule.Step](repeating: .ask(wait: 1_100_000), count: 8)
        + fills([20, 40, 80, 160, 320]) + [.rest])
  }

  @Test func `a server that may forget to ask is asked instead, no later than it would`() {
    var schedule = learning
    schedule.asksOnlyFrom = 480
    #expect(
      steps(schedule, read: 479, mustWatchIndex: false)
        == fills([20, 40] + [Int](repeating: 50, count: 12)))
    #expect(steps(schedule, read: 480, mustWatchIndex: false).last == .rest)
  }

  @Test func `nothing is asked before anything is to be learnt`() {
    #expect(Set(steps(ReportSchedule(), mustWatchIndex: true)) == [.rest])
    #expect(!ReportSchedule().isLearning && learning.isLearning)
  }
}
