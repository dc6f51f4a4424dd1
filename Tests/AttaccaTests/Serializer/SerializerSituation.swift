// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import MediaTime
@testable import Rendering

/// A state of a serializer that plays the first of three items, and the next ones' order.
struct SerializerSituation: Hashable {
  /// The way of a splice to the renderer, with what is to follow (F) or to be read again (R) behind it.
  enum Flight: String, CaseIterable {
    case grounded, splicing, splicingF, splicingR, splicingFR, landing, landingF, landingR,
      landingFR

    /// The way without what is behind it, and that.
    var parts: (String, String) {
      (rawValue.filter { $0.isLowercase }, rawValue.filter { $0.isUppercase })
    }
  }

  /// What is prepared: nothing, a new timeline, a new timeline of which there is too little, and what
  /// goes on at a joint or at the playhead.
  enum Prepared: String, CaseIterable {
    case none, start, little, joint, playhead
  }

  static let items = (0..<3).map { PlaylistItem(path: "\($0)") }
  static let order = PlayOrder(items: PlaylistItems(items))
  /// The same without the second item.
  static let shorter = PlayOrder(items: PlaylistItems([items[0], items[2]]))
  static let heard = Occurrence(id: items[0].id, pass: 0)
  static let line = SplicedLine(traversal: 7, generation: 8, begin: .zero)

  var flight: Flight
  var prepared: Prepared

  static let all = Flight.allCases.flatMap { flight in
    Prepared.allCases.map { SerializerSituation(flight: flight, prepared: $0) }
  }

  /// What is decoded from the beginning of the item that is heard.
  static func content() -> DecodeAhead {
    DecodeAhead(order: order, first: order.range(of: heard, from: .zero))
  }

  /// A splice of nothing yet, which is enough for any but `little`.
  static func splice(_ prepared: Prepared, generation: Int) -> PreparedSplice {
    let second = RationalTime(frames: 1, rate: 1)
    let joint = PreparedSplice.Joint(
      occurrence: heard, from: .zero, until: prepared == .joint ? second : nil,
      lineGeneration: 0)
    return PreparedSplice(
      content: content(), generation: generation,
      joint: prepared == .joint || prepared == .playhead ? joint : nil, fade: nil, isMiddle: false,
      needed: prepared == .little ? second : .zero)
  }

  /// The state, made of transitions.
  var state: SerializerState {
    var state = SerializerState()
    _ = state.takeUp(1)
    _ = state.prepare(Self.splice(.start, generation: 1))
    fly(&state)
    _ = state.answered(
      state.spliceInFlight?.content.number ?? 0, .done, Self.line, isToReverse: false,
      hasFailed: false)
    _ = state.install(Self.splice(.start, generation: 1), traversal: 7)
    _ = state.takeReadAgain()
    if flight != .grounded {
      _ = state.prepare(Self.splice(.joint, generation: 1))
      fly(&state)
      if [.splicingF, .splicingFR, .landingF, .landingFR].contains(flight) {
        state.followAfterwards()
      }
      if [.splicingR, .splicingFR, .landingR, .landingFR].contains(flight) {
        _ = state.readAgain(QueueState(), on: LineReading())
      }
      if flight.rawValue.hasPrefix("landing"), let splice = state.spliceInFlight {
        _ = state.answered(
          splice.content.number, .done, Self.line, isToReverse: false, hasFailed: false)
      }
    }
    if prepared != .none { _ = state.prepare(Self.splice(prepared, generation: 1)) }
    return state
  }

  private func fly(_ state: inout SerializerState) {
    if let splice = state.takePrepared() { state.launch(splice) }
  }

  init(flight: Flight, prepared: Prepared) { (self.flight, self.prepared) = (flight, prepared) }

  /// What a state is.
  init(_ state: SerializerState) {
    let then = (state.flight.then.follows ? "F" : "") + (state.flight.then.readsAgain ? "R" : "")
    let name =
      switch state.flight {
      case .grounded: "grounded"
      case .splicing: "splicing" + then
      case .landing: "landing" + then
      }
    flight = Flight(rawValue: name) ?? .grounded
    prepared =
      state.preparedSplice.map { splice in
        if let joint = splice.joint { return joint.until == nil ? .playhead : .joint }
        return splice.isPrepared ? .start : .little
      } ?? .none
  }
}

extension SerializerSituation: CustomStringConvertible {
  var description: String { "\(flight) \(prepared)" }
}
