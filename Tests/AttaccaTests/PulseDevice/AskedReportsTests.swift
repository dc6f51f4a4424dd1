// SPDX-License-Identifier: Apache-2.0

@testable import PulseDevice
import Testing

import Attacca

@Suite struct AskedReportsTests {
  enum Event: CaseIterable {
    case expect, expectInVain, endExpectation, add, asked, askedInVain, refused, take, forget
  }

  /// What is asked of a position after each event, in the order of `Event`.
  ///
  /// Nobody waits in the first two states, and nothing is expected while somebody does.
  private static let table: [AskedReports.Position: [AskedReports.Position]] = {
    typealias P = AskedReports.Position
    let (none, expected, asked, refused) = (P.none, P.expected, P.asked, P.refused)
    return [
      none: [expected, none, none, none, asked, refused, none, none, none],
      expected: [expected, none, none, none, asked, refused, expected, expected, expected],
      asked: [asked, asked, asked, asked, asked, refused, refused, none, asked],
      refused: [refused, refused, refused, refused, asked, refused, refused, none, none],
    ]
  }()

  private func reports(_ position: AskedReports.Position) -> AskedReports {
    var reports = AskedReports()
    switch position {
    case .none: break
    case .expected: reports.expect(true)
    case .asked, .refused:
      _ = reports.add { _ in }
      reports.asked(position == .asked)
    }
    return reports
  }

  private func apply(_ event: Event, to reports: inout AskedReports) {
    switch event {
    case .expect where reports.answers.isEmpty: reports.expect(true)
    case .expectInVain where reports.answers.isEmpty: reports.expect(false)
    case .expect, .expectInVain: break
    case .endExpectation: reports.endExpectation()
    case .add: _ = reports.add { _ in }
    case .asked: reports.asked(true)
    case .askedInVain: reports.asked(false)
    case .refused: reports.refused()
    case .take: _ = reports.takeAnswers()
    case .forget: reports.forget()
    }
  }

  @Test(arguments: [AskedReports.Position.none, .expected, .asked, .refused])
  func `each event leads to one state`(position: AskedReports.Position) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[position])) {
      var reports = reports(position)
      apply(event, to: &reports)
      #expect(reports.position == expected, "\(event)")
    }
  }

  @Test func `a position is asked for on behalf of the first who waits, and told to all in order`()
  {
    var reports = AskedReports()
    let asks = (0..<3).map { _ in reports.add { _ in } }
    #expect(asks == [true, false, false])
    let answers = reports.takeAnswers()
    #expect(answers.count == 3 && reports.answers.isEmpty)
    let asksAgain = reports.add { _ in }
    #expect(asksAgain)
  }

  @Test func `another stream has not run dry, and a doubt that is to be asked about is`() {
    var reports = AskedReports()
    reports.pending = [.underrun, .doubt]
    reports.forget()
    #expect(reports.pending == .doubt)
  }
}
