// SPDX-License-Identifier: Apache-2.0

import MediaTime

// What another order means for what plays and for what is prepared.
extension SerializerState {
  /// Has `order` tell the items that follow `heard`.
  mutating func follow(_ order: PlayOrder, from heard: Occurrence) -> [Action] {
    var actions: [Action] = []
    if let splice = preparedSplice {
      if let (kept, isStepKept) = keep(splice, order, heard) {
        preparedSplice = kept
        // What was waited for may not be wanted any more.
        return (isStepKept ? [] : [.letGoOfUnwanted]) + [.spliceIfPrepared, .pump]
      }
      actions = [.letGoOfUnwanted]
      preparedSplice = nil
      if splice.joint == nil {
        // What is being prepared is no more what follows: then anew, from the same place.
        let from = splice.content.begun[0].range.from
        return actions + [.restart(order.range(of: heard, from: from), order)]
      }
    }
    // What is on its way has to arrive first.
    guard isSplicing else { return actions + [.rejoin(order, from: heard)] }
    followAfterwards()
    return actions
  }

  /// The splice `old` as `order` has it, and whether the step under way for it is still wanted; nil where the
  /// splice cannot be made right.
  private func keep(
    _ old: PreparedSplice, _ order: PlayOrder, _ heard: Occurrence
  ) -> (PreparedSplice, isStepKept: Bool)? {
    let first = old.joint?.occurrence ?? heard
    guard let agreement = old.content.agreement(with: order, from: first),
      agreement.kept > 0, agreement.cut == nil, leads(to: old, order, from: heard)
    else { return nil }
    var splice = old
    if agreement.kept == splice.content.begun.count {
      splice.content.follow(order)
      return (splice, true)
    }
    splice.content.follow(order, keeping: agreement.kept)
    return (splice, false)
  }

  /// True where the playing content still leads to the joint of `splice`.
  private func leads(
    to splice: PreparedSplice, _ order: PlayOrder, from heard: Occurrence
  ) -> Bool {
    guard let joint = splice.joint else { return true }
    // From the playhead on: whatever was to follow is replaced, or has been discarded by a flush.
    guard joint.until != nil else { return joint.occurrence == heard }
    guard let playing,
      let place = playing.begun.firstIndex(where: { $0.range.occurrence == joint.occurrence }),
      let agreement = playing.agreement(with: order, from: heard)
    else { return false }
    let isCut = agreement.cut != nil && agreement.cut?.to == splice.content.begun[0].range.to
    return agreement.kept > place || (agreement.kept == place && isCut)
  }

  /// Has what follows `heard` on the timeline be what `order` says.
  mutating func rejoin(
    _ order: PlayOrder, from heard: Occurrence, on line: LineReading
  ) -> [Action] {
    guard var content = playing else { return [] }
    guard content.order.isReversed == order.isReversed else {
      // Or `refill` does it, as soon as the rate is the other one.
      return order.isReversed == line.isReversed ? [.restartAtPlayhead(order, heard)] : []
    }
    // What was being prepared for another pace may have been given up for this.
    guard !line.isDiscarded, !line.isStale,
      let agreement = content.agreement(with: order, from: heard)
    else { return [.restartAtPlayhead(order, heard)] }
    let (begun, kept) = (content.begun, agreement.kept)
    if kept == begun.count, agreement.cut == nil {
      content.follow(order)
      // What the renderer was told is the end is followed by a splice, not by this.
      if !timeline.hasFinishedEnqueuing || content.isExhausted {
        playing = content
        return [.pump]
      }
    } else if !timeline.hasFinishedEnqueuing, kept > 0, begun[kept - 1].end != nil,
      !timeline.holdsAny(of: begun[kept...])
    {
      content.follow(order, keeping: kept)
      playing = content
      return [.letGoOfUnwanted, .pump]
    }
    if agreement.isMixedOtherwise { return [.restartAtPlayhead(order, heard, fade: .standard)] }
    if let cut = agreement.cut { return [cutShort(begun[kept], cut, order)] }
    let last = begun[..<kept].lastIndex { timeline.holdsAny(of: [$0]) && $0.hasFrames }
    guard let last else { return [.restartAtPlayhead(order, heard)] }
    let barren = begun[(last + 1)..<kept].prefix { !$0.hasFrames }
    return [.prepare(order, [begun[last]] + barren, joint: begun[last].end)]
  }

  /// An item is to end earlier than it does, or later than it was to.
  private func cutShort(
    _ item: DecodeAhead.Begun, _ range: PlayedRange, _ order: PlayOrder
  ) -> Action {
    guard item.start != nil else { return .restartAtPlayhead(order, range.occurrence) }
    // Backwards it may end before the silence that followed it.
    let own = range.isReversed && range.to == nil ? item.time(of: .zero) : nil
    let ends = [item.end, range.to.flatMap(item.time), own, timeline.handedEnd].compactMap { $0 }
    var item = item
    item.range.to = range.to
    item.end = nil
    return .prepare(order, [item], joint: ends.min())
  }
}
