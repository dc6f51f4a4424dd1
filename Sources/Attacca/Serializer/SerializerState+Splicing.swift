// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering

// The way of a splice to the renderer and back.
extension SerializerState {
  /// The content to be spliced in now, which is not prepared any more; nil where that is not enough,
  /// or another one is on its way.
  mutating func takePrepared() -> PreparedSplice? {
    guard !isSplicing, var splice = preparedSplice else { return nil }
    splice.isComplete = splice.content.isExhausted
    guard splice.isPrepared else { return nil }
    // What cannot be played this way is left out, and what follows it has another place.
    if splice.lead != nil, splice.content.isBehindJoint {
      (splice.joint, splice.lead) = (nil, nil)
    }
    preparedSplice = nil
    return splice
  }

  /// The renderer is given `splice`.
  mutating func launch(_ splice: PreparedSplice) {
    flight = .splicing(splice, then: flight.then)
  }

  /// The renderer has answered for the splice of the content with a number; `line` is what it has then.
  ///
  /// `isToReverse` is the direction wished for by then, `hasFailed` whether the renderer has.
  ///
  /// - Returns: nil, and nothing is done, where everything has been stopped meanwhile.
  mutating func answered(
    _ number: Int, _ outcome: SpliceOutcome, _ line: SplicedLine, isToReverse: Bool,
    hasFailed: Bool
  ) -> [Action]? {
    guard case .splicing(let splice, let then) = flight, splice.content.number == number else {
      return nil
    }
    flight = .landing(then: then)
    switch outcome {
    case .done: return [.install(splice, line)]
    case .late where preparedSplice == nil && endsLater(splice):
      return tryAgain(splice, isToReverse: isToReverse, hasFailed: hasFailed)
    case .late: return accept(splice)
    case .refused:
      guard preparedSplice == nil else { return [] }
      return tryAgain(splice, isToReverse: isToReverse, hasFailed: hasFailed)
    }
  }

  /// Takes the note that the order has changed while the splice was on its way; false from then on.
  mutating func takeFollow() -> Bool {
    defer { flight.then.follows = false }
    return flight.then.follows
  }

  /// Takes the note that what is not heard yet is to be read again, and ends the landing; false from then on.
  mutating func takeReadAgain() -> Bool {
    let readsAgain = flight.then.readsAgain
    flight.then.readsAgain = false
    if case .landing = flight { flight = .grounded }
    return readsAgain
  }

  /// The order is looked at again once the splice under way has arrived.
  mutating func followAfterwards() { flight.then.follows = true }

  /// The renderer plays `new` from now on.
  ///
  /// - Returns: the item before the joint that ends where `new` begins, as it could not be opened again;
  ///   nil for none.
  mutating func install(_ new: PreparedSplice, traversal: Int) -> ItemSpan? {
    let old = playing
    playing = new.content
    if new.lead == nil, let joint = new.joint {
      playing?.precede(by: old?.begun ?? [], before: joint.occurrence)
    }
    return timeline.takeOver(new, traversal: traversal)
  }

  /// True where the first item of `new` is to end elsewhere than it did, but not before the joint, up to where it had been
  /// handed over: it is not over there.
  private func endsLater(_ new: PreparedSplice) -> Bool {
    guard let until = new.joint?.until, let item = new.content.begun.first,
      let old = playing?.begun.first(where: { $0.range.occurrence == item.range.occurrence }),
      old.range.to != item.range.to
    else { return false }
    // What is left out of it is known as far as it was decoded before.
    let known = old.start == item.start ? old : item
    let end = item.range.to.flatMap(known.time) ?? item.duration.flatMap(known.lineTime)
    return end.map { $0 > until } ?? true
  }

  /// `new` came after its joint: what follows there now will be heard.
  private mutating func accept(_ new: PreparedSplice) -> [Action] {
    guard let joint = new.joint, generation == timeline.generation, let playing,
      let place = playing.begun.firstIndex(where: { $0.range.occurrence == joint.occurrence })
    else { return [] }
    let next = playing.begun[(place + 1)...].first(where: \.hasFrames)?.range.occurrence
    let isCut = playing.begun[place].range.to != new.content.begun.first?.range.to
    unavoidableNext = isCut ? nil : next
    followAfterwards()
    guard let next, !isCut else { return [.overrun(generation: generation)] }
    return [.hear(timeline.position(ofNext: next, generation: generation))]
  }

  /// The renderer found no room for `new`, nothing that it continues, or another device.
  private func tryAgain(
    _ new: PreparedSplice, isToReverse: Bool, hasFailed: Bool
  ) -> [Action] {
    let order = new.content.order
    // It may be to go on as it did.
    if new.lead != nil, isToReverse != order.isReversed { return [] }
    guard let joint = new.joint else {
      guard !hasFailed, let first = new.content.begun.first else {
        return [.settle(generation: new.generation)]
      }
      return [.restart(first.range, order)]
    }
    let heard = timeline.spans.first?.range.occurrence ?? joint.occurrence
    return [
      .restartAtPlayhead(order, heard, needed: new.needed + new.needed, fade: new.fade)
    ]
  }
}
