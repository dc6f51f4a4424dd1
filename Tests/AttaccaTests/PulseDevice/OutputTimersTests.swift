// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PulseDevice

/// Which call of an output's wakes counts.
@Suite struct OutputTimersTests {
  @Test func `a wake comes once`() {
    var timers = OutputTimers()
    timers.setWake(in: 0)
    #expect(timers.isWakeSet)
    let calls = (timers.takeWake(), timers.takeWake())
    #expect(calls == (true, false))
    #expect(!timers.isWakeSet)
  }

  @Test func `a call that was on its way when a later wake was set does not take that one`() {
    var timers = OutputTimers()
    timers.setWake(in: 0)
    timers.setWake(in: 3_600_000_000_000)
    let isDue = timers.takeWake()
    #expect(!isDue && timers.isWakeSet)
  }

  @Test func `a call that was on its way when the wake was cancelled is none`() {
    var timers = OutputTimers()
    timers.setWake(in: 0)
    timers.cancelWake()
    let isDue = timers.takeWake()
    #expect(!isDue && !timers.isWakeSet)
  }

  @Test func `a wake is called, and set again by its own call`() async {
    let calls = AsyncStream<Void>.makeStream()
    var timers = OutputTimers()
    timers.prepareWakes { calls.continuation.yield() }
    var received = calls.stream.makeAsyncIterator()
    for _ in 0..<3 {
      timers.setWake(in: 0)
      await received.next()
      let isDue = timers.takeWake()
      #expect(isDue)
    }
  }
}
