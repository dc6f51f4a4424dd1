// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import MediaTime
@testable import Rendering
import Testing

/// The pure machine of a serializer, in every state at every event.
@Suite struct SerializerStateTests {
  enum Event: CaseIterable {
    case newStart, sameStart, prepare, sameOrder, otherOrder, stop, launch, done, late, refused
    case foreign, takeFollow, takeReadAgain, readAgain, refill, refillAnew
  }

  /// Carries out an event in a state.
  ///
  /// - Returns: the actions; nil where nothing is done.
  private func apply(_ event: Event, to state: inout SerializerState) -> [String]? {
    let number = state.spliceInFlight?.content.number ?? 0
    switch event {
    case .newStart: return state.takeUp(2) ? [] : nil
    case .sameStart: return state.takeUp(1) ? [] : nil
    case .prepare:
      return names(state.prepare(SerializerSituation.splice(.little, generation: 1)))
    case .sameOrder:
      return names(
        state.follow(SerializerSituation.order, from: SerializerSituation.heard))
    case .otherOrder:
      // What is heard is none of what is prepared.
      let other = Occurrence(id: SerializerSituation.items[2].id, pass: 0)
      return names(state.follow(SerializerSituation.shorter, from: other))
    case .stop: return names(state.stop())
    case .launch:
      guard let splice = state.takePrepared() else { return nil }
      state.launch(splice)
      return []
    case .done: return answer(number, .done, &state)
    case .late: return answer(number, .late, &state)
    case .refused: return answer(number, .refused, &state)
    case .foreign: return answer(-1, .done, &state)
    case .takeFollow: return state.takeFollow() ? [] : nil
    case .takeReadAgain: return state.takeReadAgain() ? [] : nil
    case .readAgain: return names(state.readAgain(plan(of: state), on: LineReading()))
    case .refill: return names(state.refill(plan(of: state), on: LineReading(isStale: true)))
    case .refillAnew: return names(state.refill(plan(of: state), on: LineReading()))
    }
  }

  private func answer(
    _ number: Int, _ outcome: SpliceOutcome, _ state: inout SerializerState
  ) -> [String]? {
    state.answered(
      number, outcome, SerializerSituation.line, isToReverse: false, hasFailed: false
    ).map(names)
  }

  /// A queue whose newest start is that of `state`, at the first item.
  private func plan(of state: SerializerState) -> QueueState {
    var plan = QueueState()
    plan.restart(
      with: PlaylistItems(SerializerSituation.items).tree, at: 0, offset: .zero)
    return plan
  }

  private func names(_ actions: [SerializerState.Action]) -> [String] {
    actions.map {
      String(String(describing: $0).prefix { $0.isLetter })
    }
  }

  /// One line of the table: in these states an event has this answer.
  private struct Row {
    let event, flights, then, prepared, after: String
    let actions: [String]?

    /// `line` is: event, flights, flags, what is prepared | flight, flags and what is prepared then | actions.
    init(_ line: Substring) {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.split(separator: " ").map(String.init)
      }
      (event, flights, then, prepared) = (
        columns[0][0], columns[0][1], columns[0][2], columns[0][3]
      )
      after = columns[1].joined(separator: " ")
      actions = columns[1] == ["ignored"] ? nil : columns[2]
    }

    func matches(_ event: Event, _ situation: SerializerSituation) -> Bool {
      let (flight, flags) = situation.flight.parts
      return self.event == "\(event)"
        && (flights == "*" || flights.split(separator: ",").contains { $0 == flight })
        && (then == "*" || flags.contains(then)
          || then == "noF" && !flags.contains("F") || then == "noR" && !flags.contains("R"))
        && (prepared == "*"
          || prepared.split(separator: ",").contains { $0 == "\(situation.prepared)" })
    }

    /// The state afterwards: what is not named stays as it is.
    func expected(_ situation: SerializerSituation) -> String {
      guard actions != nil || after != "ignored" else { return "\(situation)" }
      var (flight, flags) = situation.flight.parts
      var prepared = "\(situation.prepared)"
      let words = after.split(separator: " ").map(String.init)
      if words[0] != "." { flight = words[0] }
      switch words[1] {
      case "+F": if !flags.contains("F") { flags = "F" + flags }
      case "+R": if !flags.contains("R") { flags += "R" }
      case "-F": flags.removeAll { $0 == "F" }
      case "-R": flags.removeAll { $0 == "R" }
      case "-": flags = ""
      default: break
      }
      if words[2] != "." { prepared = words[2] }
      return "\(flight)\(flags) \(prepared)"
    }
  }

  /// Flags are what is to be done behind a splice: F for the order to be followed, R for reading again.
  private static let table = """
    newStart *                  *   *              | .        -F .      |
    sameStart *                 *   *              | ignored            |
    prepare *                   *   *              | .        .  little | letGoOfUnwanted
    sameOrder *                 *   start,little,joint,playhead | . . . | spliceIfPrepared pump
    sameOrder grounded,landing  *   none           | .        .  .      | rejoin
    sameOrder splicing          *   none           | .        +F .      |
    otherOrder *                *   start,little   | .        .  none   | letGoOfUnwanted restart
    otherOrder grounded,landing *   joint,playhead | .        .  none   | letGoOfUnwanted rejoin
    otherOrder grounded,landing *   none           | .        .  .      | rejoin
    otherOrder splicing         *   joint,playhead | .        +F none   | letGoOfUnwanted
    otherOrder splicing         *   none           | .        +F .      |
    stop *                      *   *              | grounded -  none   | letGoOfUnwanted
    launch grounded,landing     *   start,joint,playhead | splicing . none |
    launch grounded,landing     *   none,little    | ignored            |
    launch splicing             *   *              | ignored            |
    done splicing               *   *              | landing  .  .      | install
    done grounded,landing       *   *              | ignored            |
    late splicing               *   *              | landing  +F .      | overrun
    late grounded,landing       *   *              | ignored            |
    refused splicing            *   none           | landing  .  .      | restartAtPlayhead
    refused splicing            *   start,little,joint,playhead | landing . . |
    refused grounded,landing    *   *              | ignored            |
    foreign *                   *   *              | ignored            |
    takeFollow *                F   *              | .        -F .      |
    takeFollow *                noF *              | ignored            |
    takeReadAgain grounded      *   *              | ignored            |
    takeReadAgain splicing      R   *              | .        -R .      |
    takeReadAgain splicing      noR *              | ignored            |
    takeReadAgain landing       R   *              | grounded -  .      |
    takeReadAgain landing       noR *              | grounded -  .      | no
    readAgain splicing          *   *              | .        +R .      |
    readAgain grounded,landing  *   none           | .        .  .      | restartWhereHeard
    readAgain grounded,landing  *   start,little   | .        .  none   | letGoOfUnwanted restart
    readAgain grounded,landing  *   joint,playhead | .        .  none   | letGoOfUnwanted restartWhereHeard
    refill splicing             *   *              | .        .  .      |
    refill grounded,landing     *   none           | .        .  .      | restartWhereHeard
    refill grounded,landing     *   joint          | .        .  none   | letGoOfUnwanted restartWhereHeard
    refill grounded,landing     *   start,little,playhead | .  .  .     |
    refillAnew *                *   *              | .        .  .      |
    """.split(separator: "\n").map(Row.init)

  @Test(arguments: Event.allCases)
  func `every state answers every event as the table says`(event: Event) throws {
    for situation in SerializerSituation.all {
      let rows = Self.table.filter { $0.matches(event, situation) }
      let row = try #require(rows.first, "\(event) in \(situation)")
      #expect(rows.count == 1, "\(event) in \(situation)")
      var state = situation.state
      #expect(SerializerSituation(state) == situation)
      let actions = apply(event, to: &state)
      #expect(
        "\(SerializerSituation(state))" == row.expected(situation), "\(event) in \(situation)")
      #expect(
        actions == (row.actions == ["no"] ? nil : row.actions), "\(event) in \(situation)")
    }
  }

  @Test func `where nothing plays, nothing is put on the line, and nothing ends`() {
    var state = SerializerState()
    _ = state.takeUp(1)
    for line in [LineReading(isReversed: true), LineReading(isDiscarded: true), LineReading()] {
      let rejoined = state.rejoin(
        SerializerSituation.order, from: SerializerSituation.heard, on: line)
      let refilled = state.refill(plan(of: state), on: line)
      let read = names(state.readAgain(plan(of: state), on: line))
      #expect(rejoined.isEmpty && refilled.isEmpty && read == ["refill"])
    }
    let isFinished = state.finishIfExhausted()
    #expect(!isFinished && state.ending == nil && !state.isChanging)
  }

  @Test(arguments: [
    (LineReading(), "pump"), (LineReading(isReversed: true), "pump"),
    (LineReading(isDiscarded: true), "restartAtPlayhead"),
    (LineReading(isStale: true), "restartAtPlayhead"),
  ])
  func `what plays goes on where the line still has it`(line: LineReading, action: String) {
    var state = SerializerSituation(flight: .grounded, prepared: .none).state
    let actions = state.rejoin(
      SerializerSituation.order, from: SerializerSituation.heard, on: line)
    #expect(names(actions) == [action])
  }

  @Test(arguments: [(false, [String]()), (true, ["restartAtPlayhead"])])
  func `what goes the other way is turned round once the line is to go there`(
    isReversed: Bool, actions: [String]
  ) {
    var order = SerializerSituation.order
    order.isReversed = true
    var state = SerializerSituation(flight: .grounded, prepared: .none).state
    let line = LineReading(isReversed: isReversed)
    let rejoined = state.rejoin(order, from: SerializerSituation.heard, on: line)
    #expect(names(rejoined) == actions)
  }

  // A decoder may be at what is to follow the splice that has just arrived: letting go of what plays, it was let go of
  // for good, and what was prepared never came to be enough.
  @Test func `a step is awaited by the content that it is for, wherever that is`() {
    var state = SerializerSituation(flight: .splicing, prepared: .little).state
    let (prepared, flying) = (
      state.preparedSplice!.content.number, state.spliceInFlight!.content.number
    )
    #expect(!state.awaitsStep(of: prepared) && !state.awaitsStep(of: flying))
    let second = RationalTime(frames: 1, rate: 1)
    let step = state.nextPreparingStep(duration: second)
    #expect(step != nil && state.awaitsStep(of: prepared) && !state.awaitsStep(of: flying))
    _ = state.update(flying) { _ = $0.nextStep(duration: second) }
    #expect(state.awaitsStep(of: flying))
    _ = state.answered(
      flying, .done, SerializerSituation.line, isToReverse: false, hasFailed: false)
    #expect(state.awaitsStep(of: prepared))
    _ = state.prepare(SerializerSituation.splice(.start, generation: 1))
    #expect(!state.awaitsStep(of: prepared))
  }
}
