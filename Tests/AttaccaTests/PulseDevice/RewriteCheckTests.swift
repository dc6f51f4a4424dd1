// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import PulseDevice
import Testing

import Attacca

@Suite struct RewriteCheckTests {
  /// Two rewrites from 900 and 800 on, before which the server was at `before`.
  private func verdict(
    before: StreamFrame?, read: StreamFrame, isRunning: Bool = true, soonest: StreamFrame = 0
  ) -> RewriteCheck.Verdict {
    var check = RewriteCheck()
    check.rewrote(from: 900)
    if let before { check.began(at: before) }
    check.rewrote(from: 800)
    #expect(check.isAsked)
    let verdict = check.judge(read: read, isRunning: isRunning, soonest: soonest)
    #expect(!check.isAsked)
    return verdict
  }

  @Test func `a rewrite at or behind the read index was in time`() {
    #expect(verdict(before: 700, read: 800) == .inTime)
    #expect(verdict(before: nil, read: 800) == .inTime)
    #expect(verdict(before: 900, read: 900, isRunning: false) == .inTime)
  }

  @Test func `one that was in front of the read index when it began has been overtaken`() {
    #expect(verdict(before: 800, read: 850) == .overtaken(frames: 50, first: 800))
  }

  @Test func `one behind the read index is late, and can be delayed where that stands still`() {
    #expect(
      verdict(before: 850, read: 850, soonest: 850) == .late(frames: 50, isDelayable: true))
    #expect(
      verdict(before: 850, read: 850, soonest: 851) == .late(frames: 50, isDelayable: false))
    #expect(
      verdict(before: 840, read: 850, soonest: 850) == .late(frames: 50, isDelayable: false))
    #expect(
      verdict(before: nil, read: 850, soonest: 850) == .late(frames: 50, isDelayable: false))
  }

  @Test func `nothing is judged that was not asked about`() {
    var check = RewriteCheck()
    #expect(check.judge(read: 850, isRunning: true, soonest: 850) == .none)
    check.rewrote(from: 800)
    check.forget()
    check.began(at: 700)
    #expect(check.judge(read: 850, isRunning: true, soonest: 850) == .none)
  }

  @Test func `one slow write counts in full, and an eighth of it as a rule`() {
    var check = RewriteCheck()
    check.wrote(in: 800_000)
    #expect(check.writeTime == 800_000 && check.usualWriteTime == 100_000)
    check.wrote(in: 0)
    #expect(check.writeTime == 700_000 && check.usualWriteTime == 87_500)
  }
}
