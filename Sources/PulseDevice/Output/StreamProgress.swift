// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio

/// The frames of the stream that the server has read, and how much of that is heard, by its reports.
struct StreamProgress {
  /// The newest read index.
  private(set) var read: StreamFrame = 0
  /// Frames that the sink had then rendered ahead.
  private(set) var ahead: Int64 = 0
  /// The frame that the newest report says to be heard; less where it has to be guessed.
  private(set) var heard: StreamFrame = 0
  /// The moment at which the newest report was made, in nanoseconds of `HostTime`.
  private(set) var lastReport: UInt64 = 0
  /// The frames that the server has read without a gap.
  var reading = UnbrokenReading()
  /// The gap that is tried to be filled.
  private var gap = MissedPlace()
  /// The judgement whether the next write comes too late.
  var lateWrite = LateWrite()
  /// The frame that was certainly heard when the server last moved the stream.
  var heardBeforeMove: StreamFrame = 0

  /// Another stream is there, of which nothing is known at host time `now`.
  mutating func forget(at now: UInt64) {
    (ahead, gap, heardBeforeMove, lateWrite) = (0, MissedPlace(), 0, LateWrite())
    lastReport = now
  }

  /// The stream begins, or goes on, with frame `first`, nothing of which the sink has rendered.
  mutating func begin(at first: StreamFrame) {
    (read, heard, ahead, lateWrite) = (first, first, 0, LateWrite())
  }

  /// Takes a report in, of a stream whose sink plays `sampleRate` frames a second.
  ///
  /// - Parameters:
  ///   - report: Of the stream that is played on.
  ///   - sampleRate: Frames a second.
  ///   - doubtfulFrames: Frames that the device may have said wrongly to have played.
  ///   - isUnbroken: Whether only what was read without a gap is certain to be heard.
  ///   - again: The first frame that is to be heard again: from there on nothing is heard yet; nil where none is.
  mutating func note(
    _ report: TimingReport, sampleRate: Int, doubtfulFrames: Int64, isUnbroken: Bool,
    again: StreamFrame? = nil
  ) {
    read = max(read, report.read)
    lastReport = report.hostTime
    ahead = report.framesRenderedAhead(sampleRate: sampleRate)
    let certain = report.read - ahead - doubtfulFrames
    let limit = min(isUnbroken ? reading.end : .max, again ?? .max)
    heard = max(heard, min(certain, limit))
  }

  /// Frames before `end` that had not been heard at the newest report.
  func unheard(before end: StreamFrame) -> Int64 { max(0, end - (read - ahead)) }

  /// The server has done without frame `frame`.
  ///
  /// - Returns: whether to have it written again.
  mutating func missed(_ frame: StreamFrame, sampleRate: Int) -> Bool {
    gap.missed(frame, sampleRate: sampleRate)
  }
}
