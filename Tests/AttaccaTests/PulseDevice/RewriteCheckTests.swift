// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import PulseDevice
import Testing

import Attacca

@Suite struct RewriteCheckTests {
  /// One rewrite from 800 on, before which the server was at `before`.
  private func verdict(
    before: StreamFrame?, read: StreamFrame?, isRunning: Bool = true, soonest: StreamFrame = 0
  ) -> RewriteCheck.Verdict {
    var check = RewriteCheck()
    check.rewrote(from: 800, isAsked: true)
    if let before { check.began(at: before) }
    #expect(check.isOpen)
    let verdict = check.judge(read: read, isRunning: isRunning, soonest: soonest)
    #expect(!check.isOpen)
    return verdict
  }

  @Test func `a rewrite at or behind the read index was in time`() {
    #expect(verdict(before: 700, read: 800) == .inTime)
    #expect(verdict(before: nil, read: 800) == .inTime)
    #expect(verdict(before: 900, read: 900, isRunning: false) == .inTime)
    #expect(verdict(before: 700, read: nil) == .inTime)
  }

  @Test func `one that was in front of the read index when it began has been overtaken`() {
    #expect(verdict(before: 800, read: 850) == .overtaken(frames: 50, first: 800))
  }

  @Test func `one that the server may have overtaken without having told so is told`() {
    func verdict(mayHaveRead: StreamFrame?) -> RewriteCheck.Verdict {
      var check = RewriteCheck()
      check.rewrote(from: 800, isAsked: true)
      check.began(at: 700)
      return check.judge(read: 700, mayHaveRead: mayHaveRead, isRunning: true, soonest: 0)
    }
    #expect(verdict(mayHaveRead: 850) == .overtaken(frames: 50, first: 800))
    #expect(verdict(mayHaveRead: 800) == .inTime)
    #expect(verdict(mayHaveRead: nil) == .inTime)
  }

  @Test func `one behind the read index is late, and can be delayed where that stands still`() {
    func late(isDelayable: Bool) -> RewriteCheck.Verdict {
      .late(frames: 50, read: 850, isDelayable: isDelayable)
    }
    #expect(verdict(before: 850, read: 850, soonest: 850) == late(isDelayable: true))
    #expect(verdict(before: 850, read: 850, soonest: 851) == late(isDelayable: false))
    #expect(verdict(before: 840, read: 850, soonest: 850) == late(isDelayable: false))
    #expect(verdict(before: nil, read: 850, soonest: 850) == late(isDelayable: false))
  }

  @Test func `two rewrites are each judged by their own answer, and told behind the last`() {
    // The end of what there is, and a seek in front of it, which is sent before the first is answered.
    for (read, verdict) in [
      (StreamFrame(810), RewriteCheck.Verdict.inTime),
      (850, .overtaken(frames: 30, first: 820)),
    ] {
      var check = RewriteCheck()
      check.rewrote(from: 900, isAsked: true)
      check.began(at: 700)
      check.rewrote(from: 820, isAsked: true)
      #expect(check.judge(read: 800, isRunning: true, soonest: 0) == .none)
      #expect(check.isOpen)
      #expect(check.judge(read: read, isRunning: true, soonest: 0) == verdict)
    }
    // What the first had time for has been read when the second is answered for.
    var check = RewriteCheck()
    check.rewrote(from: 900, isAsked: true)
    check.rewrote(from: 1_200, isAsked: true)
    #expect(check.judge(read: 900, isRunning: true, soonest: 0) == .none)
    #expect(check.judge(read: 1_000, isRunning: true, soonest: 0) == .inTime)
  }

  @Test func `the worst of several is told, and one that others follow is not delayed`() {
    func verdict(_ reads: [(frame: StreamFrame, read: StreamFrame)]) -> RewriteCheck.Verdict {
      var check = RewriteCheck()
      for item in reads { check.rewrote(from: item.frame, isAsked: true) }
      check.began(at: reads[0].read)
      var last = RewriteCheck.Verdict.none
      for item in reads {
        #expect(last == .none)
        last = check.judge(read: item.read, isRunning: true, soonest: item.read)
      }
      return last
    }
    #expect(verdict([(800, 850), (900, 860)]) == .late(frames: 50, read: 850, isDelayable: false))
    #expect(verdict([(900, 850), (800, 850)]) == .late(frames: 50, read: 850, isDelayable: true))
    #expect(verdict([(800, 850), (820, 900)]) == .late(frames: 80, read: 900, isDelayable: false))
    #expect(verdict([(900, 850), (860, 870), (880, 895)]) == .overtaken(frames: 15, first: 860))
  }

  @Test func `a rewrite that could not be asked about is judged by the next answer`() {
    var check = RewriteCheck()
    check.rewrote(from: 900, isAsked: true)
    check.rewrote(from: 820, isAsked: false)
    check.rewrote(from: 810, isAsked: false)
    #expect(check.lacksQuestion)
    #expect(check.judge(read: 800, isRunning: true, soonest: 0) == .none)
    check.asked()
    #expect(!check.lacksQuestion)
    #expect(
      check.judge(read: 850, isRunning: true, soonest: 0) == .overtaken(frames: 40, first: 810))
    #expect(!check.isOpen)
  }

  @Test func `nothing is judged that was not asked about`() {
    var check = RewriteCheck()
    #expect(check.judge(read: 850, isRunning: true, soonest: 850) == .none)
    check.rewrote(from: nil, isAsked: true)
    check.rewrote(from: nil, isAsked: false)
    #expect(check.judge(read: 850, isRunning: true, soonest: 850) == .none)
    #expect(!check.isOpen)
  }

  @Test func `the answer for a rewrite that nobody asks about any more is not that for the next`() {
    var check = RewriteCheck()
    check.rewrote(from: 700, isAsked: true)
    check.rewrote(from: 700, isAsked: false)
    check.forget()
    check.rewrote(from: 800, isAsked: true)
    #expect(check.judge(read: 750, isRunning: true, soonest: 0) == .none)
    #expect(
      check.judge(read: 850, isRunning: true, soonest: 0) == .overtaken(frames: 50, first: 800))
  }

  @Test func `one slow write counts in full, and an eighth of it as a rule`() {
    var check = RewriteCheck()
    check.wrote(in: 800_000)
    #expect(check.writeTime == 800_000 && check.usualWriteTime == 100_000)
    check.wrote(in: 0)
    #expect(check.writeTime == 700_000 && check.usualWriteTime == 87_500)
  }

  @Test func `one write in the midst of which the process was stopped is soon forgotten`() {
    var check = RewriteCheck()
    check.wrote(in: 1_000_000)
    check.wrote(in: 90_000_000)
    #expect(check.writeTime == 90_000_000)
    check.wrote(in: 1_000_000)
    #expect(check.writeTime == 20_000_000)
    // A machine that always takes so long is believed.
    for _ in 0..<3 { check.wrote(in: 30_000_000) }
    #expect(check.writeTime == 30_000_000)
  }
}
