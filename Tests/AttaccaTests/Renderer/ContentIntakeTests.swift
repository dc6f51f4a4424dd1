// SPDX-License-Identifier: Apache-2.0

@testable import Rendering
import Testing

@testable import Attacca

@Suite struct ContentIntakeTests {
  enum Situation: CaseIterable { case empty, held, pending }
  enum Event: CaseIterable {
    case converts, finished, refused, noneWait, twoWait, twoWaitInVain, replaced, takenOver
  }

  /// Buffers that wait, whether something is held back, and the room that was too little, after each event in the
  /// order of `Event`; and whether there may be room for more.
  private static let table: [Situation: [String]] = [
    .empty: [
      "0 holds 0", "0 - 0", "0 - 5", "0 - 0", "2 - 0 room", "2 - 0", "0 - 0", "3 holds 0",
    ],
    .held: [
      "0 holds 0", "0 - 0", "0 holds 5", "0 holds 0", "2 holds 0 room", "2 holds 0", "0 - 0",
      "3 holds 0",
    ],
    .pending: [
      "2 holds 5", "2 - 5", "2 holds 5", "0 holds 5 room", "2 holds 5 room", "2 holds 5", "0 - 5",
      "3 holds 5",
    ],
  ]

  private static func events(_ situation: Situation) -> [Event] {
    switch situation {
    case .empty: []
    case .held: [.converts]
    case .pending: [.converts, .refused, .twoWaitInVain]
    }
  }

  private func apply(_ event: Event, to intake: inout ContentIntake) -> String {
    var isRoom = false
    switch event {
    case .converts: intake.converts()
    case .finished: intake.finished()
    case .refused: intake.refused(room: 5)
    case .noneWait: isRoom = intake.setPending(0, room: 10)
    case .twoWait: isRoom = intake.setPending(2, room: 10)
    case .twoWaitInVain: isRoom = intake.setPending(2, room: 0)
    case .replaced: intake.replaceConversion()
    case .takenOver: intake.replaceConversion(pending: 3, holdsBack: true)
    }
    let state = "\(intake.pendingBuffers) \(intake.holdsBack ? "holds" : "-") \(intake.refusedRoom)"
    return isRoom ? state + " room" : state
  }

  @Test(arguments: Situation.allCases)
  func `each event leads to one state`(situation: Situation) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[situation])) {
      var intake = ContentIntake()
      for before in Self.events(situation) { _ = apply(before, to: &intake) }
      let state = apply(event, to: &intake)
      #expect(state == expected, "\(event)")
      #expect(intake.isAllInLine == expected.hasPrefix("0 -"), "\(event)")
    }
  }
}
