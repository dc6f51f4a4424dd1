// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio
@testable import PulseDevice
import Testing

import Attacca

/// What answers and notices of the server say of frames that it has done without, which has been given those up to
/// 90,000 and has read up to 48,000 of them.
@Suite struct StreamGapTests {
  /// Whether the stream runs, and what it is in the middle of.
  enum Situation: CaseIterable {
    case absent, stopped, due, running, ending, suspended, rewinding, handingOver

    var state: PulseDeviceState {
      var state = PulseDeviceState(link: Reconnection(isConnected: true))
      guard self != .absent else { return state }
      _ = state.adopted(isSameFormat: true, isCorkRequested: false)
      guard self != .stopped else { return state }
      _ = state.start()
      guard self != .due else { return state }
      state.uncorked(at: 1_000_000_000)
      switch self {
      case .absent, .stopped, .due, .running: break
      case .ending: _ = state.stop(after: 70_000, drains: true)
      case .suspended: _ = state.suspended(true)
      case .rewinding: _ = state.rewind(StreamRewind(frame: 0, answers: 1, outcome: .none))
      case .handingOver: state.handOver()
      }
      return state
    }

    var isPlaying: Bool { self == .running || self == .ending }
  }

  private let facts = StreamFacts(next: 90_000, sampleRate: 48_000)

  private func report(read: Int64, isCorrupt: Bool = false, took: UInt64 = 1) -> TimingReport {
    TimingReport(
      readFrame: read, writeFrame: 90_000, sinkLatency: 0, hostTime: 1,
      roundTrip: took * 1_000_000, isReadIndexCorrupt: isCorrupt)
  }

  private func progress() -> StreamProgress {
    var progress = StreamProgress()
    progress.reading.begin(with: 0..<90_000, underWay: 0)
    _ = progress.reading.answered(read: 48_000, written: 90_000, sent: 1, arrived: 2)
    return progress
  }

  /// Frames from 60,000 on are written into the silence behind 48,000, with so many questions under way.
  private func placed(underWay: Int) -> StreamProgress {
    var progress = StreamProgress()
    progress.reading.begin(with: 0..<48_000, underWay: 0)
    progress.reading.wrote(60_000..<90_000, next: 48_000, underWay: underWay)
    return progress
  }

  @Test(arguments: Situation.allCases)
  func `what a stream that plays has been given and went past is written again`(
    situation: Situation
  ) {
    var progress = progress()
    let isMissed = progress.misses(60_000, situation.state, facts)
    #expect(isMissed == situation.isPlaying)
  }

  @Test func `nothing is missing behind the end, behind what was written, or where it was read`() {
    for (frame, situation, isMissed) in [
      (69_999, .ending, true), (70_000, .ending, false), (89_999, .running, true),
      (90_000, .running, false), (48_000, .running, true), (47_999, .running, false),
    ] as [(StreamFrame, Situation, Bool)] {
      var progress = progress()
      let misses = progress.misses(frame, situation.state, facts)
      #expect(misses == isMissed, "\(frame), \(situation)")
    }
  }

  @Test func `a gap that the server comes no further than is given up`() {
    var progress = progress()
    let tries = (0..<9).map { _ in progress.misses(60_000, Situation.running.state, facts) }
    #expect(tries == Array(repeating: true, count: 8) + [false])
  }

  @Test(arguments: Situation.allCases)
  func `an answer from behind what was written is of a gap where a stream plays`(
    situation: Situation
  ) {
    // Of frames that were placed into a silence: where the server is beyond their first one, it is missing.
    var progress = placed(underWay: 0)
    let gap = progress.takeAnswer(
      report(read: 61_000), at: 5_000_000_000, situation.state, facts, readInSilence: nil)
    #expect(gap == (situation.isPlaying ? .missed(from: 60_000) : .none(inDoubt: false)))
  }

  /// Two questions were under way when frames were placed into the silence of a server that had run dry, and the
  /// stream was corked to go back before they were answered: no notice tells that the server is beyond the first of
  /// those frames, and 24,048 of them were heard by nobody (chaos, SEED=617562).
  @Test(arguments: Situation.allCases)
  func `what a corked stream went past is told by the answer behind those under way`(
    situation: Situation
  ) {
    var progress = placed(underWay: 2)
    let missing = (0..<3).map { answer in
      progress.missedBefore(
        report(read: 48_000 + Int64(answer) * 6_500), at: 5_000_000_000, situation.state, facts)
    }
    let isTold = situation == .rewinding || situation == .handingOver
    #expect(missing == [nil, nil, isTold ? 60_000 : nil])
  }

  @Test
  func `an answer counts for nothing while the sink settles, where it is corrupt, or of PipeWire`()
  {
    var settling = facts
    settling.isSettling = true
    var vague = facts
    vague.tellsUnderruns = false
    for (facts, isCorrupt) in [(settling, false), (vague, false), (facts, true)] {
      var progress = placed(underWay: 0)
      let gap = progress.takeAnswer(
        report(read: 61_000, isCorrupt: isCorrupt), at: 5_000_000_000, Situation.running.state,
        facts, readInSilence: nil)
      #expect(gap == .none(inDoubt: false))
    }
  }

  @Test func `an answer from beyond what the one before had is in doubt`() {
    var progress = StreamProgress()
    progress.reading.begin(with: 0..<48_000, underWay: 0)
    progress.reading.wrote(48_000..<90_000, next: 48_000, underWay: 0)
    let gap = progress.takeAnswer(
      report(read: 60_000), at: 5_000_000_000, Situation.running.state, facts, readInSilence: nil)
    #expect(gap == .none(inDoubt: true))
  }

  @Test(arguments: Situation.allCases)
  func `a stream without an end that the server has left alone is corked first`(
    situation: Situation
  ) {
    for read in [nil, 89_999, 90_000] as [StreamFrame?] {
      var progress = progress()
      let gap = progress.takeAnswer(
        report(read: 48_000), at: 5_000_000_000, situation.state, facts, readInSilence: read)
      let isLeftAlone = situation == .running && read == 90_000
      #expect(gap == (isLeftAlone ? .stoodStill(inDoubt: false) : .none(inDoubt: false)))
    }
  }

  @Test(arguments: Situation.allCases)
  func `a corked stream has read for certain what no gap can lie in`(situation: Situation) {
    var progress = StreamProgress()
    progress.reading.begin(with: 0..<48_000, underWay: 0)
    progress.reading.wrote(48_000..<90_000, next: 48_000, underWay: 0)
    let state = situation.state
    // What was never let run had nothing to miss.
    let isCertain = !state.isUncorked
    guard isCertain || !state.hasDevice else { return }
    let reads = (0..<3).map { answer in
      let now = 5_000_000_000 + UInt64(answer) * 100_000_000
      #expect(progress.missedBefore(report(read: 60_000), at: now, state, facts) == nil)
      return progress.certainRead(report(read: 60_000), state, facts)
    }
    #expect(reads.map(\.isInDoubt) == (isCertain ? [false, false, false] : [true, true, false]))
    #expect(reads.map(\.frame) == (isCertain ? [60_000, 60_000, 60_000] : [0, 0, 60_000]))
  }

  @Test(arguments: Situation.allCases)
  func `a write comes too late where the stream is to run`(situation: Situation) {
    var progress = progress()
    let verdict = progress.judgeWrite(
      report(read: 48_000), first: 90_001, at: 5_000_000_000, situation.state, facts)
    let isJudged = situation.state.isRunning && situation.state.hasDevice
    #expect(verdict == (isJudged ? .late : .inTime))
    let slow = progress.judgeWrite(
      report(read: 48_000, took: 1_200), first: 90_001, at: 5_000_000_000, situation.state, facts)
    #expect(slow == (isJudged ? .inDoubt : .inTime))
  }
}
