// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import Rendering
import Testing

import Attacca

@Suite struct GivenFramesTests {
  enum Situation: CaseIterable { case fresh, paused, full }
  enum Event: CaseIterable {
    case pads, pauses, underruns, fills, fillsBefore, takesFilled, starts, restarts, replaced,
      forgetsFilled
  }

  /// Whether the end is padded, the first frame from 10 on that can be changed, and where what was added begins,
  /// after each event in the order of `Event`.
  private static let table: [Situation: [String]] = [
    .fresh: [
      "padded 10 -", "- 50 -", "- 70 -", "- 10 30", "- 10 20", "- 10 -", "- 10 -", "- 10 -",
      "- 10 -", "- 10 -",
    ],
    .paused: [
      "padded 50 -", "- 50 -", "- 70 -", "- 50 30", "- 50 20", "- 50 -", "- 50 -", "- 50 -",
      "- 10 -", "- 50 -",
    ],
    .full: [
      "padded 70 30", "padded 70 30", "padded 70 30", "padded 70 30", "padded 70 20",
      "padded 70 -", "- 70 -", "- 50 30", "- 10 30", "padded 70 -",
    ],
  ]

  private static func events(_ situation: Situation) -> [Event] {
    switch situation {
    case .fresh: []
    case .paused: [.pauses]
    case .full: [.pads, .pauses, .underruns, .fills]
    }
  }

  private func apply(_ event: Event, to given: inout GivenFrames) {
    switch event {
    case .pads: given.hasPadded = true
    case .pauses: given.silentFrom = 50
    case .underruns: given.underrunEnd = 70
    case .fills: given.fill(from: 30)
    case .fillsBefore: given.fill(from: 20)
    case .takesFilled:
      let filled = given.filledFrom
      let taken = given.takeFilled()
      #expect(taken == filled)
    case .starts: given.start()
    case .restarts: given.restart()
    case .replaced: given.replaceDevice()
    case .forgetsFilled: given.forgetFilled()
    }
  }

  private func text(_ given: GivenFrames) -> String {
    let filled = given.filledFrom.map { "\($0.number)" } ?? "-"
    return "\(given.hasPadded ? "padded" : "-") \(given.changeable(from: 10).number) \(filled)"
  }

  @Test(arguments: Situation.allCases)
  func `each event leads to one state`(situation: Situation) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[situation])) {
      var given = GivenFrames()
      for before in Self.events(situation) { apply(before, to: &given) }
      apply(event, to: &given)
      #expect(text(given) == expected, "\(event)")
    }
  }

  @Test func `what is changed is never before the frame that was asked for`() {
    var given = GivenFrames()
    given.silentFrom = 50
    given.underrunEnd = 40
    #expect(given.changeable(from: 60) == 60)
    #expect(given.changeable(from: 45) == 50)
  }
}
