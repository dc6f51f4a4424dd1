// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

// On the serialization queue.
extension SampleBufferSerializer {
  /// How much of the item before a joint is rendered again when what follows it changes: its last
  /// frames were converted with the old neighbour in the filter's reach.
  private static let tail = Int64(OpenItem.history)

  /// Does what is to be done by now, whatever was asked for in between.
  func follow() {
    let heard = heardOrUnavoidable
    let plan = shared.update { state in
      if let heard { state.hear(heard) }
      state.start.takeUp()
      return state
    }
    if let failure, plan.current != nil { return fail(failure) }
    // Others may follow now.
    aheadOf = nil
    if plan.generation != generation {
      takeUp(plan)
    } else {
      adapt(to: plan)
    }
    let wish = (plan.transport.requestNumber, plan.current != nil)
    if wish != appliedWish {
      appliedWish = wish
      isInterrupted = false
      setRate(plan.transport.isPlaying && plan.current != nil ? plan.transport.rate : 0)
    }
    // Last: a core is free for it then.
    tellGains()
  }

  /// What the clock says, or what it will say whatever happens.
  var heardOrUnavoidable: HeardPosition? {
    guard let unavoidableNext else { return hearing?.0 }
    return hearing(ofNext: unavoidableNext, generation: timelineGeneration)
  }

  /// That the beginning of an item is heard, as it will be.
  func hearing(ofNext occurrence: Occurrence, generation: Int) -> HeardPosition {
    let span = spans.first { $0.range.occurrence == occurrence }
    return HeardPosition(
      occurrence: occurrence, offset: .zero, generation: generation,
      place: span?.place ?? lastPlace)
  }

  /// A new start: what plays goes on until it is prepared.
  private func takeUp(_ plan: QueueState) {
    generation = plan.generation
    (unavoidableNext, mustFollow) = (nil, false)
    if let current = plan.current {
      restart(plan.order.range(of: current, from: plan.start.offset), plan.order)
    } else {
      stop()
      // Whoever waits for the end has come to it.
      renderer.finishEnqueuing()
    }
  }

  func restart(_ range: PlayedRange, _ order: PlayOrder) {
    renderer.expectMore()
    preparing.letGo()
    preparedSplice = PreparedSplice(
      content: DecodeAhead(order: order, first: range), generation: generation, joint: nil,
      fade: fade,
      isMiddle: !range.isFromEdge, needed: prepared)
    rest()
    watchForWait()
    // The answer comes while the file is opened.
    renderer.output.withLock { renderer.output.expectSplice() }
    pump()
  }

  private func adapt(to plan: QueueState) {
    guard let current = plan.current else { return }
    if let preparedSplice {
      if keep(preparedSplice, plan.order, current) {
        // What was waited for may not be wanted any more.
        spliceIfPrepared()
        return pump()
      }
      preparing.letGo()
      self.preparedSplice = nil
      if preparedSplice.joint == nil {
        // What is being prepared is no more what follows: then anew, from the same place.
        return restart(
          plan.order.range(of: current, from: preparedSplice.content.begun[0].range.from),
          plan.order)
      }
    }
    // What is on its way has to arrive first.
    if spliceInFlight != nil { mustFollow = true } else { rejoin(plan.order, from: current) }
  }

  /// Whether what is being prepared is still right, or can be made so.
  private func keep(_ old: PreparedSplice, _ order: PlayOrder, _ heard: Occurrence) -> Bool {
    let first = old.joint?.occurrence ?? heard
    guard let agreement = old.content.agreement(with: order, from: first),
      agreement.kept > 0, agreement.cut == nil, leads(to: old, order, from: heard)
    else { return false }
    var preparedSplice = old
    if agreement.kept == preparedSplice.content.begun.count {
      preparedSplice.content.follow(order)
    } else {
      preparing.letGo()
      preparedSplice.content.follow(order, keeping: agreement.kept)
    }
    self.preparedSplice = preparedSplice
    return true
  }

  /// Whether what plays still leads to the joint that something is being prepared for.
  private func leads(
    to preparedSplice: PreparedSplice, _ order: PlayOrder, from heard: Occurrence
  ) -> Bool {
    guard let joint = preparedSplice.joint else { return true }
    // From the playhead on: whatever was to follow is replaced, or has been discarded by a flush.
    guard joint.until != nil else { return joint.occurrence == heard }
    guard let playing,
      let place = playing.begun.firstIndex(where: { $0.range.occurrence == joint.occurrence }),
      let agreement = playing.agreement(with: order, from: heard)
    else { return false }
    let isCut =
      agreement.cut != nil && agreement.cut?.to == preparedSplice.content.begun[0].range.to
    return agreement.kept > place || (agreement.kept == place && isCut)
  }

  /// Has what follows `heard` on the timeline be what `order` says.
  private func rejoin(_ order: PlayOrder, from heard: Occurrence) {
    guard var playing else { return }
    guard playing.order.isReversed == order.isReversed else {
      // Or `refill` does it, as soon as the rate is the other one.
      if order.isReversed == isToReverse { restartAtPlayhead(order, heard) }
      return
    }
    // What was being prepared for another pace may have been given up for this.
    guard !isDiscarded, !renderer.isStale,
      let agreement = playing.agreement(with: order, from: heard)
    else { return restartAtPlayhead(order, heard) }
    let kept = agreement.kept
    let isWhole = kept == playing.begun.count && agreement.cut == nil
    if isWhole {
      playing.follow(order)
      // What the renderer was told is the end is followed by a splice, not by this.
      if !hasFinishedEnqueuing || playing.isExhausted {
        self.playing = playing
        return pump()
      }
    } else if !hasFinishedEnqueuing, kept > 0, playing.begun[kept - 1].end != nil,
      !isHandedOver(playing.begun[kept...])
    {
      decoder.letGo()
      playing.follow(order, keeping: kept)
      self.playing = playing
      return pump()
    }
    if agreement.isMixedOtherwise {
      restartAtPlayhead(order, heard, fade: .standard)
    } else if let cut = agreement.cut {
      cutShort(playing.begun[kept], cut, order)
    } else if let last = playing.begun[..<kept].lastIndex(where: {
      isHandedOver([$0]) && $0.hasFrames
    }
    ) {
      let barren = playing.begun[(last + 1)..<kept].prefix { !$0.hasFrames }
      prepare(order, [playing.begun[last]] + barren, joint: playing.begun[last].end)
    } else {
      restartAtPlayhead(order, heard)
    }
  }

  /// Whether the renderer has been given anything of some items.
  private func isHandedOver(_ items: some Collection<DecodeAhead.Begun>) -> Bool {
    items.contains { item in
      spans.contains { $0.range.occurrence == item.range.occurrence }
    }
  }

  /// An item is to end earlier than it does, or later than it was to.
  private func cutShort(_ item: DecodeAhead.Begun, _ range: PlayedRange, _ order: PlayOrder) {
    guard item.start != nil else { return restartAtPlayhead(order, range.occurrence) }
    let ends = [item.end, range.to.flatMap(item.time), handedEnd].compactMap { $0 }
    var item = item
    item.range.to = range.to
    item.end = nil
    prepare(order, [item], joint: ends.min())
  }

  /// Prepares what follows `joint`, a time in or at the end of the first of `begun`.
  private func prepare(_ order: PlayOrder, _ begun: [DecodeAhead.Begun], joint: RationalTime?) {
    guard let start = begun[0].start, let joint,
      let span = spans.first(where: { $0.range.occurrence == begun[0].range.occurrence })
    else { return restartAtPlayhead(order, begun[0].range.occurrence) }
    // Effects have not let out their latency's worth before the joint, and want to hear what was before.
    let (latency, history) = effectReach(at: span.sampleRate)
    let tail = RationalTime(frames: Self.tail + latency, rate: span.sampleRate)
    let offset = max(span.begin - start, joint - start - tail)
    let first = max(
      span.begin - start, offset - RationalTime(frames: history, rate: span.sampleRate))
    preparing.letGo()
    preparedSplice = PreparedSplice(
      content: DecodeAhead(order: order, begun: begun, offset: first, joint: joint),
      generation: generation,
      joint: PreparedSplice.Joint(
        occurrence: begun[0].range.occurrence, from: start + offset, until: joint),
      fade: nil, isMiddle: offset > .zero, needed: prepared + tail)
    pump()
  }

  /// Frames of a source of `sampleRate` that effects hold back, and that they want before a frame.
  private func effectReach(at sampleRate: Int) -> (latency: Int64, history: Int64) {
    let reach = renderer.effectReach()
    let rate = renderer.timelineRate
    func frames(_ count: Int) -> Int64 { Int64((count * sampleRate + rate - 1) / rate) }
    return (frames(reach.latency), frames(reach.history))
  }

  /// The same frames take the place of the same, unless they are made for another pace, or are other
  /// ones from every place.
  var joinFade: Fade {
    let history = renderer.effectReach().history
    return renderer.output.withLock {
      renderer.isPaceStale || !renderer.conversion.isRepeatable || history > 0 ? .standard : .none
    }
  }

  /// Plays on from where the playhead is: the way that always works.
  ///
  /// The same frames are put at the same places, so nothing is repeated and nothing is lost, however
  /// long preparing takes, if it takes less than what is prepared: twice as much the next time. `fade` is for
  /// frames that may be other ones.
  func restartAtPlayhead(
    _ order: PlayOrder, _ occurrence: Occurrence, needed: RationalTime? = nil, fade: Fade? = nil
  ) {
    let needed = needed ?? prepared
    guard let hearing, let span = spans.first(where: { $0.range.occurrence == occurrence }),
      hearing.0.occurrence == occurrence, hearing.0.generation == generation,
      needed < mostPrepared
    else {
      // What was begun last may not be heard yet.
      let isHeard = hearing?.0.generation == generation
      let offset = (isHeard ? hearing?.0.offset : nil) ?? shared.snapshot.start.offset
      return restart(order.range(of: occurrence, from: offset), order)
    }
    // Another device may have to begin before what the clock has shown.
    let playhead = max(span.begin, min(hearing.2, renderer.heldTime ?? hearing.2))
    guard order.isReversed == span.range.isReversed else {
      return turn(order, at: playhead, from: span, needed: needed)
    }
    var begun = DecodeAhead.Begun(
      range: order.range(of: occurrence, from: span.range.from), start: span.lineStart,
      duration: span.duration)
    begun.range.entry = span.range.entry.map(order.renewed)
    begun.tail = playing?.begun.last { $0.range.occurrence == occurrence }?.tail
    if let overlap = begun.tail?.overlap { begun.tail?.overlap = order.renewed(overlap) }
    // What the line still holds of it is heard even if it cannot be read again.
    let lineEnd = renderer.output.withLock {
      RationalTime(renderer.line.contentEnd, rate: renderer.line.rate)
    }
    let ends = [lineEnd, span.end, begun.range.to.flatMap(begun.time)].compactMap(\.self)
    let history = effectReach(at: span.sampleRate).history
    let first = max(span.begin, playhead - RationalTime(frames: history, rate: span.sampleRate))
    preparing.letGo()
    preparedSplice = PreparedSplice(
      content: DecodeAhead(
        order: order, begun: [begun], offset: first - span.lineStart,
        joint: max(playhead, ends.min() ?? playhead)),
      generation: generation,
      joint: PreparedSplice.Joint(occurrence: occurrence, from: playhead, until: nil),
      fade: fade, isMiddle: true, needed: needed)
    pump()
  }
}
