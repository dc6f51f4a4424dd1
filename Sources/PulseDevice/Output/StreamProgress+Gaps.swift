// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio

// Frames that the server has done without, by its answers and its notices.
extension StreamProgress {
  /// The consequence of an answer for the frames that have been written.
  enum Gap: Hashable {
    /// All have been in time, as far as is known; one may have been passed that is not told yet where the answer
    /// is `inDoubt`.
    case none(inDoubt: Bool)
    /// Frames from there on were written after the server had done without them: they are to be written again.
    case missed(from: StreamFrame)
    /// The server has not been heard of for longer than what it holds lasts: it is corked before it is given more.
    ///
    /// It may be making up for that, block by block between its answers, so that any place that it tells
    /// is too early: 15,360 frames of a write were skipped, and the 4,368 behind them heard; 16,150 of one
    /// 0.2 s beyond the answer.
    case stoodStill(inDoubt: Bool)
  }

  /// Takes in what an answer says of frames that the server has done without.
  ///
  /// - Parameters:
  ///   - report: A report of the stream that is played on.
  ///   - now: Host time at which it came, in nanoseconds.
  ///   - state: The output's state.
  ///   - facts: The stream's facts.
  ///   - readInSilence: The frame that the server is believed to read after a silence of its own so long that the
  ///     clock holds; nil where it has answered in time.
  /// - Returns: what follows for the frames that have been written.
  mutating func takeAnswer(
    _ report: TimingReport, at now: UInt64, _ state: PulseDeviceState, _ facts: StreamFacts,
    readInSilence: StreamFrame?
  ) -> Gap {
    guard state.isPlaying, facts.tellsUnderruns else { return .none(inDoubt: false) }
    var inDoubt = false
    // What a sink takes before it settles it gives back.
    if !facts.isSettling, !report.isReadIndexCorrupt {
      if let missing = answered(report, at: now), misses(missing, state, facts) {
        return .missed(from: missing)
      }
      inDoubt = reading.isInDoubt
    }
    guard state.lastFrame == nil, let read = readInSilence, read >= facts.next else {
      return .none(inDoubt: inDoubt)
    }
    return .stoodStill(inDoubt: inDoubt)
  }

  /// Takes in that the server has done without frame `frame` and those behind it.
  ///
  /// A server that was stopped answers before it makes up for the time, and then goes past what the
  /// answer made us write: 74,358 and 93,054 frames were not heard, in two of eight stops.
  ///
  /// - Returns: whether frames were written there since that are to be written again: all of them came too late,
  ///   or their beginning.
  mutating func misses(
    _ frame: StreamFrame, _ state: PulseDeviceState, _ facts: StreamFacts
  ) -> Bool {
    // Behind the end there is silence: a machine too busy to cork the stream in time has lost nothing.
    guard state.isPlaying, frame < min(facts.next, state.lastFrame ?? .max),
      reading.isMissing(from: frame)
    else { return false }
    return missed(frame, sampleRate: facts.sampleRate)
  }

  /// Takes an answer of a stream in that is corked to go back, or for another one.
  ///
  /// No notice tells of a write into the silence of a server that had run dry, which comes when that has gone past it:
  /// 24,048 frames were heard by nobody, between two stops of a server 0.3 s away.
  ///
  /// - Returns: the first frame that the server has done without, as far as the answer tells; nil where it had all.
  mutating func missedBefore(
    _ report: TimingReport, at now: UInt64, _ state: PulseDeviceState, _ facts: StreamFacts
  ) -> StreamFrame? {
    guard !state.hasDevice, state.isUncorked, facts.tellsUnderruns, !facts.isSettling,
      !report.isReadIndexCorrupt,
      let missing = answered(report, at: now), reading.isMissing(from: missing)
    else { return nil }
    return missing
  }

  /// Tells how far a stream that is corked for another one has read, once `missedBefore` has taken its answer in.
  ///
  /// - Returns: the frame up to which the server has read all for certain, and whether another answer may tell of more.
  func certainRead(
    _ report: TimingReport, _ state: PulseDeviceState, _ facts: StreamFacts
  ) -> (frame: StreamFrame, isInDoubt: Bool) {
    guard state.isUncorked, facts.tellsUnderruns, !facts.isSettling else {
      return (report.read, false)
    }
    return (reading.isInDoubt ? reading.end : report.read, reading.isInDoubt)
  }

  /// Judges whether a write that begins now comes too late to be heard in full.
  ///
  /// Behind what was written there may be old silence, of which the server does not say that it is an underrun.
  /// And what would come too late to be heard in full is not to be written.
  ///
  /// - Parameters:
  ///   - report: A report of the stream that is played on.
  ///   - first: The first frame that a write is in time for, if it takes as long as the answer took.
  ///   - now: Host time at which the report came, in nanoseconds.
  ///   - state: The output's state.
  ///   - facts: The stream's facts.
  /// - Returns: the verdict on a write behind the last one.
  mutating func judgeWrite(
    _ report: TimingReport, first: StreamFrame, at now: UInt64, _ state: PulseDeviceState,
    _ facts: StreamFacts
  ) -> LateWrite.Verdict {
    guard state.isRunning, !state.isWithheld, state.hasDevice, !reading.isInDoubt else {
      return .inTime
    }
    return lateWrite.judge(report, first: first, next: facts.next, arrived: now)
  }

  private mutating func answered(_ report: TimingReport, at now: UInt64) -> StreamFrame? {
    reading.answered(
      read: report.read, written: StreamFrame(report.writeFrame),
      sent: now - min(now, report.roundTrip), arrived: now)
  }
}
