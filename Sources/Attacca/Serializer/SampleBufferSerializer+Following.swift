// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering
import SampleBuffers

// On the serialization queue.
extension SampleBufferSerializer {
  /// Frames of the item before a joint that are rendered again when what follows it changes: its last
  /// frames were converted with the old neighbour in the filter's reach.
  private static let tail = Int64(OpenItem.history)

  /// Does what is to be done by now, whatever was asked for in between.
  func follow() {
    assertOnQueue()
    let heard = heardOrUnavoidable
    let plan = shared.update { state in
      if let heard { state.hear(heard) }
      state.start.takeUp()
      return state
    }
    if let failure = state.failure, plan.current != nil { return fail(failure) }
    followSleep(plan)
    // Others may follow now.
    lookAhead.occurrence = nil
    if state.takeUp(plan.generation) {
      begin(plan)
    } else if let current = plan.current {
      perform(state.follow(plan.order, from: current))
    }
    if let rate = transport.follow(plan.transport, hasCurrent: plan.current != nil) {
      setRate(rate)
    }
    // Last: a core is free for it then.
    tellGains()
  }

  /// Position that the clock says, or that it will say whatever happens.
  var heardOrUnavoidable: HeardPosition? { state.heard(hearing?.0) }

  /// Carries out what the state asks for.
  func perform(_ actions: [SerializerState.Action]) {
    assertOnQueue()
    for action in actions { perform(action) }
  }

  private func perform(_ action: SerializerState.Action) {
    assertOnQueue()
    switch action {
    case .letGoOfUnwanted: decoders.letGo { !state.awaitsStep(of: $0) }
    case .restart(let range, let order): restart(range, order)
    case .restartAtPlayhead(let order, let occurrence, let needed, let fade):
      restartAtPlayhead(order, occurrence, needed: needed, fade: fade)
    case .restartWhereHeard(let order, let current, let fade):
      let heard = hearing?.0
      restartAtPlayhead(
        order, heard?.generation == state.generation ? heard?.occurrence ?? current : current,
        fade: fade)
    case .prepare(let order, let begun, let joint): prepare(order, begun, joint: joint)
    case .rejoin(let order, let heard):
      perform(state.rejoin(order, from: heard, on: lineReading))
    case .refill: refill()
    case .install(let splice, let line): install(splice, line)
    case .hear(let position): shared.update { $0.hear(position) }
    case .overrun(let generation): shared.update { $0.overran(generation: generation) }
    case .settle(let generation): shared.settle(generation, wasHeard: false)
    case .spliceIfPrepared: spliceIfPrepared()
    case .pump: pump()
    }
  }

  /// A new start: what plays goes on until it is prepared.
  private func begin(_ plan: QueueState) {
    if let current = plan.current {
      restart(plan.order.range(of: current, from: plan.start.offset), plan.order)
    } else {
      stop()
      // Whoever waits for the end has come to it.
      renderer.finishEnqueuing()
    }
  }

  func restart(_ range: PlayedRange, _ order: PlayOrder) {
    assertOnQueue()
    renderer.expectMore()
    perform(
      state.prepare(
        PreparedSplice(
          content: DecodeAhead(order: order, first: range), generation: state.generation,
          joint: nil, fade: fade, isMiddle: !range.isFromEdge, needed: prepared)))
    rest()
    watchForWait()
    // The answer comes while the file is opened.
    renderer.expectStart(state.generation)
    pump()
  }

  /// Prepares `splice`, in the place of what is prepared.
  func prepare(_ splice: PreparedSplice) {
    assertOnQueue()
    perform(state.prepare(splice))
    pump()
  }

  /// Prepares what follows `joint`, a time in or at the end of the first of `begun`.
  private func prepare(_ order: PlayOrder, _ begun: [DecodeAhead.Begun], joint: RationalTime?) {
    assertOnQueue()
    let skips = begun[0].skips
    guard let start = begun[0].start, let joint,
      let span = state.timeline.spans.first(where: {
        $0.range.occurrence == begun[0].range.occurrence
      })
    else { return restartAtPlayhead(order, begun[0].range.occurrence) }
    // Effects have not let out their latency's worth before the joint, and want to hear what was before.
    let (latency, history) = effectReach(at: span.sampleRate)
    let tail = RationalTime(frames: Self.tail + latency, rate: span.sampleRate)
    let from = max(span.begin, joint - tail)
    let first = max(span.begin, from - RationalTime(frames: history, rate: span.sampleRate))
    prepare(
      PreparedSplice(
        content: DecodeAhead(
          order: order, begun: begun, offset: skips.place(at: first - start), joint: joint),
        generation: state.generation,
        joint: PreparedSplice.Joint(
          occurrence: begun[0].range.occurrence, from: from, until: joint,
          lineGeneration: state.timeline.lineGeneration),
        fade: nil, isMiddle: from > start, needed: prepared + tail))
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
  var joinFade: Fade { renderer.repeatsExactly ? .none : .standard }

  /// Plays on from where the playhead is: the way that always works.
  ///
  /// The same frames are put at the same places, so nothing is repeated and nothing is lost, however
  /// long preparing takes, if it takes less than what is prepared: twice as much the next time. `fade` is for
  /// frames that may be other ones.
  func restartAtPlayhead(
    _ order: PlayOrder, _ occurrence: Occurrence, needed: RationalTime? = nil, fade: Fade? = nil
  ) {
    assertOnQueue()
    let needed = needed ?? prepared
    // Before the clock is looked at: what is flushed behind that may hold before what it shows.
    let generation = renderer.lineContent.generation
    guard let hearing,
      let span = state.timeline.spans.first(where: { $0.range.occurrence == occurrence }),
      hearing.0.occurrence == occurrence, hearing.0.generation == state.generation,
      needed < mostPrepared
    else {
      // What was begun last may not be heard yet.
      let isHeard = hearing?.0.generation == state.generation
      let offset = (isHeard ? hearing?.0.offset : nil) ?? shared.snapshot.start.offset
      return restart(order.range(of: occurrence, from: offset), order)
    }
    // Another device may have to begin before what the clock has shown.
    let playhead = max(span.begin, min(hearing.2, renderer.heldTime ?? hearing.2))
    guard order.isReversed == span.range.isReversed else {
      if let next = followingSilence(order, at: playhead, in: span) {
        return restart(next, order)
      }
      return turn(order, at: playhead, in: generation, from: span, needed: needed)
    }
    var begun = DecodeAhead.Begun(
      range: order.range(of: occurrence, from: span.range.from), start: span.lineStart,
      duration: span.duration)
    let playing = state.playing?.begun.last { $0.range.occurrence == occurrence }
    // What is decoded and not handed over is left out there, too.
    begun.skips = playing?.start == span.lineStart ? playing?.skips ?? span.skips : span.skips
    begun.range.entry = span.range.entry.map(order.renewed)
    begun.tail = playing?.tail
    if let overlap = begun.tail?.overlap { begun.tail?.overlap = order.renewed(overlap) }
    // What the line still holds of it is heard even if it cannot be read again.
    let ends = [renderer.contentEnd, span.end, begun.range.to.flatMap(begun.time)].compactMap(
      \.self)
    let history = effectReach(at: span.sampleRate).history
    let first = max(span.begin, playhead - RationalTime(frames: history, rate: span.sampleRate))
    prepare(
      PreparedSplice(
        content: DecodeAhead(
          order: order, begun: [begun], offset: begun.skips.place(at: first - span.lineStart),
          joint: max(playhead, ends.min() ?? playhead)),
        generation: state.generation,
        joint: PreparedSplice.Joint(
          occurrence: occurrence, from: playhead, until: nil, lineGeneration: generation),
        fade: fade, isMiddle: true, needed: needed))
  }
}
