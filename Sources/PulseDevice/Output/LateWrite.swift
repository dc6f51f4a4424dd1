// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio

/// The judgement, by the server's answers, whether the next write comes too late to be heard in full.
///
/// A server that was stopped for a second answers a second late, and that answer says nothing of how long a write
/// takes. Where a write is too late by such an answer alone, the server is asked once more, and no frame is given up
/// before: 30,841 frames that a server still had were given up, and lost when the server went. A server that is a
/// second away answers a second late again, and is believed.
struct LateWrite: Hashable {
  enum Verdict: Hashable {
    case inTime
    /// The write is too late by a slow answer alone: the server is asked again, and given nothing until the answer.
    case inDoubt
    case late
  }

  /// Host time at which the answer in doubt came, in nanoseconds; nil where no answer is in doubt.
  private var doubted: UInt64?

  /// Takes a report in, and judges a write that begins now.
  ///
  /// - Parameters:
  ///   - report: A report of the stream that is played on.
  ///   - first: The first frame that a write is in time for, if the write takes as long as the answer took.
  ///   - next: The frame behind the last one written.
  ///   - arrived: Host time at which the report came, in nanoseconds.
  /// - Returns: the verdict on a write from `next` on.
  mutating func judge(
    _ report: TimingReport, first: StreamFrame, next: StreamFrame, arrived: UInt64
  ) -> Verdict {
    let since = doubted
    doubted = nil
    guard first > next else { return .inTime }
    guard report.read < next, report.roundTrip > PulseAudioOutput.slowAnswer else { return .late }
    if let since, arrived - min(arrived, report.roundTrip) >= since { return .late }
    // What was asked before that answer came has waited with it.
    doubted = since ?? arrived
    return .inDoubt
  }
}
