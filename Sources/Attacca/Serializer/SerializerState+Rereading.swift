// SPDX-License-Identifier: Apache-2.0

// Reading anew what is not heard yet.
extension SerializerState {
  /// Has the content that is not heard yet read again, as `plan` has it now.
  mutating func readAgain(_ plan: QueueState, on line: LineReading) -> [Action] {
    // What is on its way has to arrive first.
    guard !isSplicing else {
      flight.then.readsAgain = true
      return []
    }
    // A newer start reads everything anew.
    guard plan.generation == generation, let current = plan.current else { return [] }
    var actions: [Action] = []
    if let splice = preparedSplice {
      preparedSplice = nil
      actions = [.letGoOfUnwanted]
      if splice.joint == nil, let first = splice.content.begun.first {
        return actions + [
          .restart(plan.order.range(of: first.range.occurrence, from: first.range.from), plan.order)
        ]
      }
    }
    // What a flush has discarded, or another rate has made stale, is read again by `refill`.
    guard playing != nil, !line.isDiscarded, plan.isReversed == line.isReversed else {
      return actions + [.refill]
    }
    return actions + [.restartWhereHeard(plan.order, current: current, fade: .standard)]
  }

  /// True where a flush has discarded the playing content, or its frames were made for another pace.
  func isToRefill(_ line: LineReading) -> Bool {
    playing != nil && !isSplicing && (line.isDiscarded || line.isStale)
  }

  /// Enqueues again what a flush has discarded, or what was made for another pace, from the playhead
  /// on.
  mutating func refill(_ plan: QueueState, on line: LineReading) -> [Action] {
    // Where the rate was set outside, the queue is told in a moment.
    guard isToRefill(line), plan.isReversed == line.isReversed else { return [] }
    var actions: [Action] = []
    if let splice = preparedSplice {
      // Another timeline, or what is still to be heard of this one, is on its way already.
      guard let joint = splice.joint, joint.until != nil else { return [] }
      preparedSplice = nil
      actions = [.letGoOfUnwanted]
    }
    guard plan.generation == generation, let current = plan.current else { return actions }
    // What was out of reach is not any more.
    unavoidableNext = nil
    return actions + [.restartWhereHeard(plan.order, current: current)]
  }
}
