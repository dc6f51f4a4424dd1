// SPDX-License-Identifier: Apache-2.0

@testable import PulseDevice
import Testing

import Attacca

/// What follows an answer of the server, by what it was asked for.
@Suite struct ServerAnswerTests {
  private static let questions: [TimingQuestion?] = [
    .clock, .position, .before, .splice, .fill, .underrun, .handover, .rewind, .settled, nil,
  ]

  @Test func `an answer is for who goes back or hands over, or says where the stream is`() {
    for question in Self.questions {
      for hasReport in [true, false] {
        for isRefused in [true, false] {
          var asked = AskedReports()
          _ = asked.add { _ in }
          asked.asked(!isRefused)
          let arrival = asked.arrived(question, hasReport: hasReport)
          let expected: AskedReports.Arrival =
            switch question {
            case .handover: .handover
            case .rewind: .rewind
            default: hasReport ? .report(asksPosition: isRefused) : .nothing
            }
          #expect(arrival == expected, "\(String(describing: question)), \(hasReport)")
          let isAskedAgain = question == .position && !hasReport
          #expect(asked.position == (isRefused || isAskedAgain ? .refused : .asked))
        }
      }
    }
  }

  @Test func `whether the stream ran dry is asked again only once it has been answered`() {
    for question in Self.questions {
      var asked = AskedReports()
      asked.pending = [.underrun, .doubt]
      _ = asked.arrived(question, hasReport: true)
      #expect(asked.pending == (question == .underrun ? [.doubt] : [.underrun, .doubt]))
    }
  }

  /// What is so when an answer has been looked at.
  struct Case: Hashable {
    var isWriteInDoubt = false
    var isSlow = false
    var hasDevice = true
    var isGapInDoubt = false
  }

  /// Replies to a position, the read index before and behind a rewrite, a fill and an underrun, in this order.
  private static let replies: [Case: [AskedReports.Reply]] = [
    Case(): [.position, .rewriteBegins, .rewriteEnds, .fill, .underrun],
    Case(isWriteInDoubt: true): [.none, .rewriteBegins, .rewriteEnds, .none, .none],
    Case(isSlow: true): [.askAgain, .rewriteBegins, .rewriteEnds, .fill, .underrun],
    Case(hasDevice: false): [.none, .rewriteBegins, .rewriteEnds, .fill, .none],
    Case(isGapInDoubt: true): [.none, .rewriteBegins, .rewriteEnds, .fill, .none],
    Case(isWriteInDoubt: true, isSlow: true, hasDevice: false, isGapInDoubt: true):
      [.none, .rewriteBegins, .rewriteEnds, .none, .none],
  ]

  private func reply(
    to question: TimingQuestion?, _ situation: Case, of asked: inout AskedReports
  ) -> AskedReports.Reply {
    asked.reply(
      to: question, isWriteInDoubt: situation.isWriteInDoubt, isSlow: situation.isSlow,
      hasDevice: situation.hasDevice, isGapInDoubt: situation.isGapInDoubt)
  }

  @Test func `a question in each situation has one reply`() {
    let asking: [TimingQuestion?] = [.position, .before, .splice, .fill, .underrun]
    for (situation, replies) in Self.replies {
      for (question, expected) in zip(asking, replies) {
        var asked = AskedReports()
        _ = asked.add { _ in }
        asked.asked(true)
        let reply = reply(to: question, situation, of: &asked)
        #expect(reply == expected, "\(situation)")
        let isInDoubt = situation.isWriteInDoubt || situation.isGapInDoubt
        let isRefused = question == .position && isInDoubt
        #expect(asked.position == (isRefused ? .refused : .asked), "\(situation)")
      }
      for question in [.clock, .handover, .rewind, .settled, nil] as [TimingQuestion?] {
        var asked = AskedReports()
        let reply = reply(to: question, situation, of: &asked)
        #expect(reply == .none)
      }
    }
  }

  /// An answer's arrival in milliseconds, the time that it took, and whether it is one of a server that was stopped.
  private typealias Answer = (at: UInt64, took: UInt64, isSlow: Bool)

  private func judge(_ answers: [Answer]) -> [Bool] {
    var times = AnswerTimes()
    return answers.map {
      times.answered(in: $0.took * 1_000_000, at: (10_000 + $0.at) * 1_000_000)
    }
  }

  @Test func `a server that answers late twice in a row is far away, or was stopped twice`() {
    let cases: [[Answer]] = [
      [(0, 1, false), (500, 100, false), (1_000, 101, true), (1_001, 1, false)],
      // It is far away; then farther still.
      [
        (0, 200, true), (200, 200, false), (300, 400, false), (900, 401, true), (1_301, 401, false),
        (2_000, 800, false),
      ],
      // What was asked before an answer has waited with it.
      [(0, 400, true), (1, 350, true), (2, 120, true), (402, 400, false)],
      // It was stopped twice, for longer than a server is far away.
      [(0, 1_600, true), (1_200, 1_200, true), (1_203, 3, false), (9_000, 600, true)],
      // It is that far away.
      [(0, 600, true), (600, 600, true), (1_200, 600, false), (1_300, 1_200, false)],
      // One that is far away was stopped.
      [(0, 200, true), (200, 200, false), (3_000, 2_800, true), (3_200, 200, false)],
    ]
    for answers in cases { #expect(judge(answers) == answers.map(\.isSlow), "\(answers)") }
  }

  @Test func `what is in doubt is asked about once at a time`() {
    var asked = AskedReports()
    let asks = (0..<2).map { _ in asked.doubts() }
    #expect(asks == [true, false])
    asked.pending.remove(.doubt)
    let asksAgain = asked.doubts()
    #expect(asksAgain)
  }
}
