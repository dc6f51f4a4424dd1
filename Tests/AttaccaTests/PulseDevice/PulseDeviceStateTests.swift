// SPDX-License-Identifier: Apache-2.0

import MediaTime
@testable import PulseDevice
import Testing

@testable import Attacca

@Suite struct PulseDeviceStateTests {
  /// A state, made of events.
  enum Situation: CaseIterable {
    case absent, absentWanted, corked, uncorkDue, uncorkDueEnding, running, ending, suspended,
      muted, mutedPlaying, rewinding
    case handingOver, handingOverMuted, handingOverCorked, handingOverRewinding
  }

  enum Event: CaseIterable {
    case start, stop, drain, endUnheard, stopNow, uncorked, suspended, unsuspended, mutes, unmutes
    case rewind, missed
    case answer, noAnswer, goOn, handOver, handoverLost, left, lost
    case adopted, adoptedOther, adoptedMuted, closed
  }

  private static func events(_ situation: Situation) -> [Event] {
    switch situation {
    case .absent: []
    case .absentWanted: [.start]
    case .corked: [.adopted]
    case .uncorkDue: [.adopted, .start]
    case .uncorkDueEnding: [.adopted, .start, .stop]
    case .running: [.adopted, .start, .uncorked]
    case .ending: [.adopted, .start, .uncorked, .stop]
    case .suspended: [.adopted, .start, .uncorked, .suspended]
    case .muted: [.adopted, .start, .uncorked, .mutes, .rewind, .noAnswer, .goOn]
    // Someone plays in spite of the server's wish.
    case .mutedPlaying: events(.muted) + [.stopNow, .start, .uncorked]
    case .rewinding: [.adopted, .start, .uncorked, .rewind]
    case .handingOver: [.adopted, .start, .uncorked, .handOver]
    case .handingOverMuted: [.adopted, .start, .uncorked, .handOver, .mutes]
    case .handingOverCorked: [.adopted, .handOver]
    case .handingOverRewinding: [.adopted, .start, .uncorked, .rewind, .handOver]
    }
  }

  private static func state(_ situation: Situation) -> PulseDeviceState {
    var state = PulseDeviceState(link: Reconnection(isConnected: true))
    for event in events(situation) { _ = apply(event, to: &state) }
    return state
  }

  /// What an event returns, in words; empty for nothing.
  private static func apply(_ event: Event, to state: inout PulseDeviceState) -> String {
    func rewind(_ due: StreamRewind?) -> String {
      due.map { "again from \(frame($0))" } ?? ""
    }
    switch event {
    case .start:
      return switch state.start() {
      case .none: ""
      case .goOn: "go on"
      case .begin(let learns): learns ? "begin, learn clock" : "begin"
      }
    case .stop, .drain:
      return switch state.stop(after: 90, drains: event == .drain) {
      case .none: ""
      case .awaitEnd: "await end"
      case .unheard: "end unheard"
      }
    case .endUnheard: return state.endUnheard().map { "ended at \($0.number)" } ?? ""
    case .stopNow: state.stopNow()
    case .uncorked: state.uncorked(at: 7)
    case .suspended, .unsuspended:
      return switch state.suspended(event == .suspended) {
      case .none: ""
      case .begins(let endsUnheard): endsUnheard ? "begins, end unheard" : "begins"
      case .ends(let learns): learns ? "ends, learn clock" : "ends"
      }
    case .mutes, .unmutes:
      return switch state.corkRequested(event == .mutes) {
      case .none: ""
      case .holds: "hold"
      case .ends(let goesOn): goesOn ? "ends, go on" : "ends"
      }
    case .rewind:
      return switch state.rewind(StreamRewind(frame: 5, answers: 2, outcome: .none)) {
      case .none: ""
      case .begin(let deepens): deepens ? "cork, deepen" : "cork"
      }
    case .missed: state.rewinds(from: 3, answers: 2)
    case .answer, .noAnswer:
      return switch state.rewindAnswered(hasReport: event == .answer) {
      case .none: ""
      case .askAgain: "ask again"
      case .playAgain(let due): rewind(due)
      }
    case .goOn:
      return switch state.goOn() {
      case .none: ""
      case .begin: "runs"
      case .unheard: "end unheard"
      }
    case .handOver: state.handOver()
    case .handoverLost:
      return switch state.handoverLost(answers: 2) {
      case .none: ""
      case .stay: "stay"
      case .goBack(let deepens): deepens ? "go back, deepen" : "go back"
      }
    case .left: return rewind(state.left())
    case .lost:
      let (again, ended) = state.lost()
      return [rewind(again), words(ended, "ends")].filter { !$0.isEmpty }.joined(separator: ", ")
    case .adopted, .adoptedOther, .adoptedMuted:
      let adoption = state.adopted(
        isSameFormat: event != .adoptedOther, isCorkRequested: event == .adoptedMuted)
      return [
        adoption.runs ? "runs" : "", words(adoption.ended, "ends"), words(adoption.began, "begins"),
      ].filter { !$0.isEmpty }.joined(separator: ", ")
    case .closed: state.closed()
    }
    return ""
  }

  private static func words(
    _ interruptions: PulseDeviceState.Interruptions, _ verb: String
  ) -> String {
    [(PulseDeviceState.Interruptions.suspension, "suspension"), (.policy, "policy")]
      .filter { interruptions.contains($0.0) }.map { "\(verb) \($0.1)" }.joined(separator: ", ")
  }

  private static func frame(_ due: StreamRewind) -> String {
    due.frame == .max ? "here" : "\(due.frame.number)"
  }

  /// The state in words: phase, transport, who else has it stand still.
  private static func describe(_ state: PulseDeviceState) -> String {
    func rewind(_ due: StreamRewind) -> String {
      "again from \(frame(due)) in \(due.answers)"
    }
    func end(_ frame: StreamFrame?) -> String { frame.map { " to \($0.number)" } ?? "" }
    let phase =
      switch state.phase {
      case .absent: "absent"
      case .held: "held"
      case .rewinding(let due): rewind(due)
      case .handingOver(nil): "handing over"
      case .handingOver(let due?): "handing over, \(rewind(due))"
      }
    let transport =
      switch state.transport {
      case .stopped: "stopped"
      case .uncorkDue(let frame): "due" + end(frame)
      case .withheld(let frame): "withheld" + end(frame)
      case .running(let since, let frame):
        (since.map { "running since \($0)" } ?? "running") + end(frame)
      }
    let interruptions =
      (state.interruptions.contains(.suspension) ? ", suspended" : "")
      + (state.interruptions.contains(.policy) ? ", muted" : "")
    return "\(phase), \(transport)\(interruptions)"
  }

  // MARK: Every state and every event

  @Test(arguments: Situation.allCases)
  func `each event has one answer in each state`(situation: Situation) throws {
    let before = Self.state(situation)
    let rows = try #require(Self.table[situation]).split(separator: "\n")
    #expect(rows[0] == Self.describe(before))
    try #require(rows.count == 1 + Event.allCases.count)
    for (event, row) in zip(Event.allCases, rows.dropFirst()) {
      var state = before
      let answer = Self.apply(event, to: &state)
      let after = Self.describe(state)
      let change = after == rows[0] ? "" : "-> \(after)"
      let found = [answer, change].filter { !$0.isEmpty }.joined(separator: " ")
      #expect(row == (found.isEmpty ? "\(event):" : "\(event): \(found)"))
    }
  }

  /// What the events return, and the state that they lead to.
  private static func run(_ events: [Event]) -> (answers: [String], state: String) {
    var state = PulseDeviceState(link: Reconnection(isConnected: true))
    let answers = events.map { apply($0, to: &state) }
    return (answers, describe(state))
  }

  // The stream was uncorked at once, and its timer had been cancelled: a pause, or the end, was never told.
  @Test func `a stream whose successor is lost goes back to where it stands, and on from there`() {
    let events: [Event] = [
      .adopted, .start, .uncorked, .stop, .handOver, .handoverLost, .answer, .noAnswer, .goOn,
    ]
    let (answers, state) = Self.run(events)
    #expect(answers.suffix(4) == ["go back, deepen", "ask again", "again from here", "runs"])
    #expect(state == "held, due to 90")
  }

  @Test func `a stream whose successor is lost stays corked where the server wants that`() {
    let events: [Event] = [
      .adopted, .start, .uncorked, .handOver, .mutes, .handoverLost, .noAnswer, .goOn,
    ]
    let (answers, state) = Self.run(events)
    #expect(answers.suffix(3) == ["go back", "again from here", ""])
    #expect(state == "held, withheld, muted")
  }

  // The next frames to be written had it run in spite of the wish.
  @Test func `a stream that is to run when the server wants it corked does not until that is over`()
  {
    let muted = Self.run([.adopted, .start, .mutes, .rewind, .noAnswer, .goOn])
    #expect(muted.state == "held, withheld, muted" && muted.answers.last == "")
    let over = Self.run([.adopted, .start, .mutes, .rewind, .noAnswer, .goOn, .unmutes])
    #expect(over.state == "held, due" && over.answers.last == "ends, go on")
  }

  // It was told as drained at once, and 2 s of it were heard by nobody.
  @Test func `an end of media that is due while the stream stands still is heard later`() {
    let muted = Self.run([.adopted, .start, .uncorked, .mutes, .rewind, .noAnswer, .goOn, .drain])
    #expect(muted.state == "held, withheld to 90, muted" && muted.answers.last == "")
    let suspended = Self.run([.adopted, .start, .uncorked, .suspended, .drain, .unsuspended])
    #expect(suspended.state == "held, running since 7 to 90")
    #expect(suspended.answers.suffix(2) == ["", "ends, learn clock"])
  }

  @Test func `an end that is due when the server wants the stream corked will not be heard`() {
    let events: [Event] = [
      .adopted, .start, .uncorked, .stop, .mutes, .rewind, .noAnswer, .goOn, .endUnheard,
    ]
    let (answers, state) = Self.run(events)
    #expect(answers.suffix(2) == ["end unheard", "ended at 90"])
    #expect(state == "held, stopped, muted")
  }

  // The server's wish outlived the stream: one that had taken over during a call was silent behind the next pause.
  @Test func `a call ends for a stream on another device, and goes on for one that it mutes`() {
    let events: [Event] = [
      .adopted, .start, .uncorked, .mutes, .rewind, .noAnswer, .goOn, .handOver, .left,
    ]
    let free = Self.run(events + [.adopted, .uncorked, .rewind, .noAnswer, .goOn])
    #expect(free.answers[9] == "runs, ends policy" && free.answers.last == "runs")
    #expect(free.state == "held, due")
    let muted = Self.run(events + [.adoptedMuted])
    #expect(muted.answers.last == "" && muted.state == "held, withheld, muted")
    let lost = Self.run(Array(events.prefix(7)) + [.lost, .adopted])
    #expect(lost.answers.suffix(2) == ["ends policy", "runs"])
  }

  /// All states that any events lead to.
  @Test func `no order of events leads to a contradiction`() {
    var seen: Set<PulseDeviceState> = []
    var left = [PulseDeviceState(link: Reconnection(isConnected: true))]
    while let state = left.popLast() {
      guard state.link.state != .closed, seen.insert(state).inserted else { continue }
      for event in Event.allCases {
        var next = state
        _ = Self.apply(event, to: &next)
        left.append(next)
      }
    }
    for state in seen {
      let what = Comment(rawValue: Self.describe(state))
      #expect(!state.hasDevice || state.rewind == nil && !state.isHandingOver, what)
      if state.phase == .absent {
        #expect(state.uncorked == nil && state.isRunning == state.isUncorkDue, what)
      }
      if !state.isRunning { #expect(state.lastFrame == nil && !state.isUncorkDue, what) }
      #expect(
        !state.isWithheld || state.interruptions.contains(.policy) && state.phase != .absent, what)
      var (lost, stopped) = (state, state)
      _ = lost.lost()
      #expect(lost.phase == .absent && lost.interruptions.isEmpty && lost.rewind == nil, what)
      #expect(lost.isRunning == state.isRunning && lost.lastFrame == state.lastFrame, what)
      #expect(stopped.endUnheard() == state.lastFrame, what)
      #expect(stopped.isRunning == (state.isRunning && state.lastFrame == nil), what)
    }
    #expect(seen.count == 372)
  }
}
