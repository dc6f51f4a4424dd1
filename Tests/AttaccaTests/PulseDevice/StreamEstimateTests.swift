// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio
@testable import PulseDevice
import Testing

import Attacca

/// Which frame is read or heard by what is known of a stream, and what a wait is followed by.
@Suite struct StreamEstimateTests {
  private let facts = StreamFacts(next: 90_000, sampleRate: 48_000)

  private func running() -> PulseDeviceState {
    var state = PulseDeviceState(link: Reconnection(isConnected: true))
    _ = state.adopted(isSameFormat: true, isCorkRequested: false)
    _ = state.start()
    state.uncorked(at: 1_000_000_000)
    return state
  }

  private func progress(read: Int64 = 4_800, ahead: Int64 = 10) -> StreamProgress {
    var progress = StreamProgress()
    progress.note(
      TimingReport(
        readFrame: read, writeFrame: read, sinkLatency: ahead * 1_000_000, hostTime: 1),
      sampleRate: 48_000, doubtfulFrames: 0, isUnbroken: false)
    return progress
  }

  @Test func `before the first report the server has read what has passed since the start`() {
    let read = progress().estimatedRead(
      at: 1_500_000_000, running(), facts, isDry: false, heard: nil)
    #expect(read == 28_800)
  }

  @Test func `a stream that stands still has read what its last report says`() {
    var state = running()
    state.stopNow()
    #expect(
      progress().estimatedRead(at: 1_500_000_000, state, facts, isDry: false, heard: nil) == 4_800)
    _ = state.start()
    // It is to run, and has not been let.
    #expect(
      progress().estimatedRead(at: 1_500_000_000, state, facts, isDry: false, heard: nil) == 4_800)
  }

  @Test func `a server that has told that it had nothing may be behind all that was written`() {
    let read = progress().estimatedRead(
      at: 1_500_000_000, running(), facts, isDry: true, heard: nil)
    #expect(read == 90_001)
    let beyond = progress(read: 96_000).estimatedRead(
      at: 1_500_000_000, running(), facts, isDry: true, heard: nil)
    #expect(beyond == 96_000)
  }

  @Test
  func
    `another stream plays from where the present one stopped, or from what it was to play again`()
  {
    let progress = progress(read: 48_480)
    let due = StreamRewind(frame: 24_000, answers: 1, outcome: .none)
    func first(end: StreamFrame?, due: StreamRewind? = nil) -> StreamFrame {
      progress.firstFrameOfNext(end: end, due: due)
    }
    #expect(first(end: 48_000) == 48_000)
    // It does not tell: what is heard by the last report is.
    #expect(first(end: nil) == 48_000)
    #expect(first(end: 48_000, due: due) == 24_000)
  }

  @Test func `a wait is over for an end, for a clock that does not run, or for a report`() {
    var state = running()
    #expect(state.wake(isClockRunning: true) == .report)
    #expect(state.wake(isClockRunning: false) == .report)
    _ = state.stop(after: 70_000, drains: true)
    #expect(state.wake(isClockRunning: true) == .awaitEnd(70_000))
    #expect(state.wake(isClockRunning: false) == .awaitClock)
    _ = state.suspended(true)
    #expect(state.wake(isClockRunning: true) == .rest)
    state.stopNow()
    #expect(state.wake(isClockRunning: true) == nil)
    #expect(PulseDeviceState(link: state.link).wake(isClockRunning: true) == nil)
  }

  @Test func `a stream that plays hands over once all has been heard that only it has`() {
    var state = running()
    #expect(!state.mayHandOver(from: 48_000, heard: 47_999))
    #expect(state.mayHandOver(from: 48_000, heard: 48_000))
    _ = state.suspended(true)
    #expect(state.mayHandOver(from: 48_000, heard: 0))
    _ = state.suspended(false)
    _ = state.rewind(StreamRewind(frame: 0, answers: 1, outcome: .none))
    #expect(state.mayHandOver(from: 48_000, heard: 0))
    var corked = running()
    corked.stopNow()
    #expect(corked.mayHandOver(from: 48_000, heard: 0))
  }

  @Test func `an end is waited for, asked about and filled up to by what is known`() {
    var reports = ReportSchedule()
    reports.asked(ahead: 47_000, of: 0, target: 1_000)
    func step(
      _ isHeard: Bool = false, isTold: Bool = false, read: StreamFrame = 48_000,
      sinceReport: UInt64 = 0, untilHeard: Int? = 300_000_000
    ) -> ReportSchedule.EndStep {
      reports.beforeEnd(
        isHeard: isHeard, isTold: isTold, read: read, sinceReport: sinceReport,
        untilHeard: untilHeard, requestInterval: 100_000_000)
    }
    #expect(step(true, isTold: true) == .stop)
    // By the clock alone: a server that stands still has not told so.
    #expect(step(true) == .wait(450_000_000, asks: true, fills: false))
    #expect(step(isTold: true) == .wait(300_000_000, asks: false, fills: false))
    #expect(step() == .wait(300_000_000, asks: false, fills: false))
    #expect(step(sinceReport: 449_999_999) == .wait(300_000_000, asks: false, fills: false))
    #expect(step(sinceReport: 450_000_000) == .wait(300_000_000, asks: true, fills: false))
    // The clock holds.
    #expect(step(untilHeard: nil) == .wait(450_000_000, asks: false, fills: false))
    #expect(step(read: 47_999) == .wait(100_000_000, asks: false, fills: true))
    #expect(step(read: 47_999, untilHeard: 5) == .wait(5, asks: false, fills: true))
  }

  @Test func `a stream that stands still begins behind the silence that its sink has taken`() {
    let margin = RewriteMargin(sampleRate: 48_000)
    func start(ahead milliseconds: Int64) -> StreamFrame {
      margin.startFrame(
        TimingReport(
          readFrame: 96_000, writeFrame: 96_000, sinkLatency: milliseconds * 1_000_000,
          hostTime: 1, roundTrip: 1_000_000), blockLength: 192)
    }
    #expect(start(ahead: 10) == 96_480)
    // A block that is over before the stream runs is followed by another one, of 4 ms.
    #expect(start(ahead: 4) == 96_192 && start(ahead: 3) == 96_192 && start(ahead: 0) == 96_192)
    #expect(start(ahead: 20) == 96_960)
    // To be heard at once counts more.
    #expect(start(ahead: 21) == 96_000)
  }

  @Test func `a move has the stream go on, go back, or be followed by another one`() {
    func step(
      _ isSameFormat: Bool?, silence: Bool = false, gone: Bool = false, isPipeWire: Bool = false
    ) -> ServerDevices.MoveStep {
      var devices = ServerDevices()
      devices.quirks.isPipeWire = isPipeWire
      return devices.step(
        afterMove: isSameFormat, holdsSilence: silence,
        reason: gone ? .oldDeviceUnavailable : .override)
    }
    #expect(step(true) == .goOn && step(nil) == .goOn)
    #expect(step(true, silence: true) == .goBack)
    #expect(step(true, silence: true, gone: true, isPipeWire: true) == .goBack)
    #expect(step(true, gone: true) == .goOn)
    #expect(step(true, gone: true, isPipeWire: true) == .goBackToHeard)
    #expect(step(nil, gone: true, isPipeWire: true) == .goBackToHeard)
    #expect(step(false, silence: true, gone: true, isPipeWire: true) == .open)
  }
}
