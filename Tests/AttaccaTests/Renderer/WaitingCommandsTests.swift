// SPDX-License-Identifier: Apache-2.0

@testable import Rendering
import Testing

@testable import Attacca

@Suite struct WaitingCommandsTests {
  enum Situation: CaseIterable { case idle, one, two, abandoned }
  enum Event: CaseIterable { case add, answered, abandon }

  /// What each event returns, and what waits then: the fades of stops, by which they are told apart.
  private static let table: [Situation: [String]] = [
    .idle: ["ask -> asked [9]", "[] -> idle []", "[] -> idle []"],
    .one: ["-> asked [1, 9]", "[1] -> idle []", "[1] -> asked []"],
    .two: ["-> asked [1, 2, 9]", "[1, 2] -> idle []", "[1, 2] -> asked []"],
    .abandoned: ["-> asked [9]", "[] -> idle []", "[] -> asked []"],
  ]

  private func commands(_ situation: Situation) -> WaitingCommands {
    var commands = WaitingCommands()
    switch situation {
    case .idle: break
    case .one: _ = commands.add(.stop(fade: 1))
    case .two:
      _ = commands.add(.stop(fade: 1))
      _ = commands.add(.stop(fade: 2))
    case .abandoned:
      _ = commands.add(.stop(fade: 1))
      _ = commands.abandon()
    }
    return commands
  }

  private func text(_ commands: WaitingCommands) -> String {
    var (asked, waiting) = (commands, commands)
    let isAsked = !asked.add(.resume)
    return "-> \(isAsked ? "asked" : "idle") \(waiting.abandon().map(\.fade))"
  }

  @Test(arguments: Situation.allCases)
  func `each event leads to one state`(situation: Situation) throws {
    for (event, expected) in zip(Event.allCases, try #require(Self.table[situation])) {
      var commands = commands(situation)
      let result =
        switch event {
        case .add: commands.add(.stop(fade: 9)) ? "ask " : ""
        case .answered: "\(commands.answered().map(\.fade)) "
        case .abandon: "\(commands.abandon().map(\.fade)) "
        }
      #expect(result + text(commands) == expected, "\(event)")
    }
  }
}
