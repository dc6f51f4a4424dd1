// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The reports that a running stream asks for by itself.
///
/// A pure state machine: whoever drives it asks, and comes back after the wait.
struct ReportSchedule: Hashable {
  /// The question that is asked, and nanoseconds until it is asked again.
  enum Step: Hashable {
    /// The place of the stream.
    case ask(wait: Int)
    /// The place of the stream, which is given what it has room for.
    case fill(wait: Int)
    /// Nothing, until the server asks.
    case rest
  }

  /// First stream frame from which on the server does not forget to ask: before, frames that it was never given count
  /// for it as written.
  private(set) var asksOnlyFrom: StreamFrame = 0
  /// Reports to ask for while the clock knows nothing yet, the next one after so many nanoseconds.
  private var reportsToGo = 0
  private var reportWait = 0
  /// Each wait is so many times the one before.
  private var growth = 2
  /// True where the last answer took as long as one of a server that was stopped, or is far away.
  private var isSlow = false
  /// Reports in quick succession that are still to come, which show when blocks fall.
  private var quickReportsToGo = 0
  /// The read index of the first answer to them, which they go on from; nil before.
  private var quickFirst: StreamFrame?

  /// True while the clock does not know enough yet.
  var isLearning: Bool { reportsToGo > 0 }

  /// The clock knows nothing yet: a few reports early on, 310 ms in all.
  ///
  /// - Returns: nanoseconds until the first.
  mutating func learn() -> Int {
    (reportsToGo, reportWait, growth) = (5, 10_000_000, 2)
    (quickReportsToGo, quickFirst) = (ServerQuirks.mostQuickReports, nil)
    return ServerQuirks.quickReportWait
  }

  /// The server has answered after `roundTrip` nanoseconds.
  ///
  /// One that was stopped answers first, and then goes past what the answer has made the player write: with the next
  /// report half a second later 480 ms were heard twice. So there are ten, 40 ms apart; behind the first slow answer
  /// alone, as those of a server that is far away are all slow.
  ///
  /// - Returns: nanoseconds until the first report that is to be asked for; nil where none is.
  mutating func answered(in roundTrip: UInt64) -> Int? {
    let wasSlow = isSlow
    isSlow = roundTrip > PulseAudioOutput.slowAnswer
    guard isSlow, !wasSlow else { return nil }
    (reportsToGo, reportWait, growth) = (10, 40_000_000, 1)
    return reportWait
  }

  // MARK: Frames that the server does not ask for

  /// Frames are skipped that the server had nothing for.
  ///
  /// Skipped frames come on top of what the server counted wrong before: with those of a resume alone, in the 2 s of a
  /// deep stream's start, a player of 60 ms ran dry every 140 ms.
  ///
  /// - Parameters:
  ///   - frames: How many they are.
  ///   - frame: The first frame behind them.
  ///   - target: Frames that the server is to hold.
  mutating func skips(_ frames: Int64, to frame: StreamFrame, target: Int64) {
    asksOnlyFrom = max(asksOnlyFrom, frame + target) + frames
  }

  /// The server has asked for `length` frames ahead of `frame`, and is to hold `target` of them from now on.
  mutating func asked(ahead length: Int64, of frame: StreamFrame, target: Int64) {
    asksOnlyFrom = max(asksOnlyFrom, frame + length + target)
  }

  /// The server's frames count `distance` lower from now on.
  mutating func count(back distance: Int64) { asksOnlyFrom = max(0, asksOnlyFrom - distance) }

  /// Another stream is there, which asks for all that it lacks.
  mutating func beginStream() { asksOnlyFrom = 0 }

  /// True where the server, which has read up to `read`, may forget to ask.
  func asksNothing(at read: StreamFrame) -> Bool { read < asksOnlyFrom }

  /// A wait is over.
  ///
  /// - Parameters:
  ///   - read: The newest read index.
  ///   - mustWatchIndex: Whether only the read index shows when a block falls.
  ///   - requestInterval: Nanoseconds between the server's requests.
  /// - Returns: What is asked now.
  mutating func next(read: StreamFrame, mustWatchIndex: Bool, requestInterval: Int) -> Step {
    if mustWatchIndex, asksQuickly(at: read) { return .ask(wait: ServerQuirks.quickReportWait) }
    if reportsToGo > 0 {
      reportsToGo -= 1
      reportWait *= growth
      return .fill(wait: asksNothing(at: read) ? min(reportWait, requestInterval) : reportWait)
    }
    return asksNothing(at: read) ? .fill(wait: requestInterval) : .rest
  }

  /// Tells whether the next report follows in quick succession: until a block has been seen to fall.
  private mutating func asksQuickly(at read: StreamFrame) -> Bool {
    let done = ServerQuirks.mostQuickReports - quickReportsToGo
    // Before the first answer the index is an old one.
    if done == 1 { quickFirst = read }
    guard quickReportsToGo > 0, done < ServerQuirks.quickReports || read == quickFirst else {
      quickReportsToGo = 0
      return false
    }
    quickReportsToGo -= 1
    return true
  }

  /// The step towards the end of what is to be heard.
  enum EndStep: Hashable {
    /// It has been heard.
    case stop
    /// After so many nanoseconds it is looked again. Before, where the stream is is asked for where it `asks`, and
    /// it is given what it has room for where it `fills`.
    case wait(Int, asks: Bool, fills: Bool)
  }

  /// The step while an end is waited for.
  ///
  /// A server that stands still right before the end has not told so yet: the clock goes on, and what is corked by it
  /// is not heard. Of a stop of 0.27 s the last 1,267 frames were not.
  ///
  /// - Parameters:
  ///   - isHeard: Whether the end has been heard by the clock.
  ///   - isTold: Whether the server has told so, or says no more.
  ///   - read: The newest read index.
  ///   - sinceReport: Nanoseconds since the last report.
  ///   - untilHeard: Nanoseconds until the end is heard; nil while the clock holds.
  ///   - requestInterval: Nanoseconds between the server's requests.
  /// - Returns: the step that is due.
  func beforeEnd(
    isHeard: Bool, isTold: Bool, read: StreamFrame, sinceReport: UInt64, untilHeard: Int?,
    requestInterval: Int
  ) -> EndStep {
    if isHeard {
      return isTold
        ? .stop : .wait(Int(PulseAudioOutput.reportInterval), asks: true, fills: false)
    }
    let asks = sinceReport >= PulseAudioOutput.reportInterval
    let wait = untilHeard ?? Int(PulseAudioOutput.reportInterval)
    // The server may not ask for what is still to be heard before the end.
    guard asksNothing(at: read) else { return .wait(wait, asks: asks, fills: false) }
    return .wait(min(wait, requestInterval), asks: asks, fills: true)
  }
}
