// SPDX-License-Identifier: Apache-2.0

@testable import Rendering
import Testing

@testable import Attacca

@Suite struct StartConditionTests {
  enum Situation: CaseIterable { case waiting, hurried, short, overdue, held, heldOverdue }
  enum Event: CaseIterable {
    case waits, hurries, isShort, isLong, expires, expiresInVain, ends, holds, endsHold
  }

  /// Frames that have to lie ahead after each event, in the order of `Event`, where 100 are enough.
  private static let table: [Situation: [Int64]] = [
    .waiting: [100, 1, 1, 100, 1, 100, 100, 500, 100],
    .hurried: [100, 1, 1, 1, 1, 1, 1, 500, 1],
    .short: [1, 1, 1, 100, 1, 1, 1, 500, 1],
    .overdue: [1, 1, 1, 1, 1, 1, 100, 500, 1],
    .held: [500, 500, 500, 500, 500, 500, 500, 500, 100],
    .heldOverdue: [500, 500, 500, 500, 500, 500, 500, 500, 1],
  ]

  private static func events(_ situation: Situation) -> [Event] {
    switch situation {
    case .waiting: []
    case .hurried: [.hurries]
    case .short: [.isShort]
    case .overdue: [.expires]
    case .held: [.holds]
    case .heldOverdue: [.holds, .expires]
    }
  }

  private func apply(_ event: Event, to condition: inout StartCondition) {
    switch event {
    case .waits: condition.waitsForSufficientData = true
    case .hurries: condition.waitsForSufficientData = false
    case .isShort: condition.startsShort = true
    case .isLong: condition.startsShort = false
    case .expires:
      if let number = condition.wait.limit() { _ = condition.wait.expire(number) }
    case .expiresInVain: _ = condition.wait.expire(0)
    case .ends: condition.wait.end()
    case .holds: condition.hold(for: 500)
    case .endsHold:
      let isHeld = condition.prerollFrames > 0
      let wasHeld = condition.endHold()
      #expect(wasHeld == isHeld)
    }
  }

  @Test(arguments: Situation.allCases)
  func `each event leads to one number of frames`(situation: Situation) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[situation])) {
      var condition = StartCondition()
      for before in Self.events(situation) { apply(before, to: &condition) }
      apply(event, to: &condition)
      #expect(condition.frames(enough: 100) == expected, "\(event)")
    }
  }

  @Test func `what there is waits for the start that was asked for last, however late that is`() {
    var condition = StartCondition()
    condition.expect(2)
    condition.expect(3)
    apply(.expires, to: &condition)
    #expect(condition.awaitsOther)
    condition.arrived(2)
    #expect(condition.awaitsOther)
    condition.arrived(3)
    #expect(!condition.awaitsOther)
    condition.expect(4)
    condition.arrived(5)
    #expect(!condition.awaitsOther)
    condition.expect(6)
    condition.forgetExpected()
    #expect(!condition.awaitsOther)
  }
}
