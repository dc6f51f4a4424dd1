// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio
@testable import PulseDevice
import Testing

import Attacca

/// What comes too late by answers that took long; the server has been given frames up to 90,000.
@Suite struct LateWriteTests {
  /// An answer in milliseconds since the first one, how long it took, and what it says.
  struct Answer {
    var arrived: UInt64 = 0
    var took: UInt64
    var read: Int64 = 60_000
    var first: StreamFrame = 117_600
    var verdict: LateWrite.Verdict
  }

  private static let cases: [[Answer]] = [
    // In time, and too late by a quick answer.
    [
      .init(took: 1, first: 90_000, verdict: .inTime),
      .init(took: 1, first: 90_001, verdict: .late),
    ],
    [.init(took: 100, verdict: .late)],
    // The server was stopped: it has most of what it was given.
    [
      .init(took: 1_200, verdict: .inDoubt),
      .init(arrived: 1, took: 1_000, verdict: .inDoubt),
      .init(arrived: 2, took: 1, first: 60_500, verdict: .inTime),
    ],
    // It has all but read that.
    [
      .init(took: 1_200, verdict: .inDoubt),
      .init(arrived: 1, took: 1, first: 90_480, verdict: .late),
    ],
    // It has nothing left.
    [.init(took: 1_200, read: 90_000, verdict: .late)],
    [
      .init(took: 1_200, verdict: .inDoubt),
      .init(arrived: 9, took: 1_000, read: 90_480, verdict: .late),
    ],
    // It is far away: what was asked since says the same.
    [
      .init(took: 1_200, verdict: .inDoubt),
      .init(arrived: 1_199, took: 1_200, verdict: .inDoubt),
      .init(arrived: 1_200, took: 1_200, verdict: .late),
      .init(arrived: 1_210, took: 1_200, verdict: .inDoubt),
    ],
    // What was in time meanwhile is doubted anew.
    [
      .init(took: 1_200, verdict: .inDoubt),
      .init(arrived: 1_200, took: 1_200, first: 90_000, verdict: .inTime),
      .init(arrived: 2_400, took: 1_200, verdict: .inDoubt),
    ],
  ]

  @Test(arguments: cases)
  func `what comes too late by a slow answer alone is asked about once more`(answers: [Answer]) {
    var late = LateWrite()
    for answer in answers {
      let report = TimingReport(
        readFrame: answer.read, writeFrame: 90_000, sinkLatency: 0, hostTime: 1,
        roundTrip: answer.took * 1_000_000)
      let verdict = late.judge(
        report, first: answer.first, next: 90_000, arrived: (5_000 + answer.arrived) * 1_000_000)
      #expect(verdict == answer.verdict, "\(answer)")
    }
  }

  @Test func `nothing is in doubt of another stream, or of one that begins anew`() {
    let report = TimingReport(
      readFrame: 60_000, writeFrame: 90_000, sinkLatency: 0, hostTime: 1, roundTrip: 1_200_000_000)
    for resets in [{ $0.forget(at: 1) }, { $0.begin(at: 1) }] as [(inout StreamProgress) -> Void] {
      var progress = StreamProgress()
      func verdict(at arrived: UInt64) -> LateWrite.Verdict {
        progress.lateWrite.judge(report, first: 117_600, next: 90_000, arrived: arrived)
      }
      #expect(verdict(at: 2_000_000_000) == .inDoubt)
      resets(&progress)
      #expect(verdict(at: 3_300_000_000) == .inDoubt)
    }
  }
}
