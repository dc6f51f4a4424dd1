// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

// On the serialization queue.
extension SampleBufferSerializer {
  /// Converts what has been prepared, once it is enough, and has the renderer splice it in.
  func spliceIfPrepared() {
    guard spliceInFlight == nil, var preparedSplice else { return }
    preparedSplice.isComplete = preparedSplice.content.isExhausted
    guard preparedSplice.isPrepared else { return }
    // What cannot be played this way is left out, and what follows it has another place.
    if preparedSplice.lead != nil, preparedSplice.content.isBehindJoint {
      (preparedSplice.joint, preparedSplice.lead) = (nil, nil)
    }
    var buffers: [SampleBuffer] = []
    var parts: [ContentPart] = []
    while let piece = preparedSplice.content.popFirst() {
      switch piece {
      case .buffer(let buffer): buffers.append(buffer)
      case .began(var span):
        setGains(of: &span)
        parts.append(span.part)
        preparedSplice.spliced.append(.began(span))
        continue
      case .volume(let occurrence, let part):
        if let span = preparedSplice.span(of: occurrence) { parts.append(span.part(part)) }
      case .ended: break
      }
      preparedSplice.spliced.append(piece)
    }
    self.preparedSplice = nil
    if buffers.isEmpty && preparedSplice.joint == nil { return nothingToPlay(preparedSplice) }
    spliceInFlight = preparedSplice
    // What turns round takes over where the playhead is by then.
    let hasHistory = preparedSplice.lead == nil && renderer.effectReach().history > 0
    let heard = hasHistory ? preparedSplice.from : nil
    let content = renderer.stage(
      buffers, from: preparedSplice.content.begin, heardFrom: heard,
      isFinished: preparedSplice.isComplete,
      fadesIn: preparedSplice.isMiddle, isReversed: preparedSplice.content.order.isReversed,
      parts: parts)
    let (number, isShort) = (preparedSplice.content.number, preparedSplice.isShort)
    nowPlaying.splice(isTurn: preparedSplice.lead != nil)
    renderer.replace(
      from: preparedSplice.from, until: preparedSplice.joint?.until, with: content,
      fade: preparedSplice.fade ?? joinFade
    ) { [weak self] outcome, traversal in
      guard let self else { return }
      renderer.startsShort = isShort
      let line = renderer.line.generation
      let begin = RationalTime(renderer.line.map.last.media, rate: renderer.line.rate)
      queue.async { self.spliced(number, outcome, traversal, line, begin) }
    }
  }

  /// No item could be played.
  private func nothingToPlay(_ preparedSplice: PreparedSplice) {
    shared.settle(preparedSplice.generation, wasHeard: false)
    guard end(preparedSplice.content) else { return }
    stop()
    // Whoever waits for the end has come to it.
    renderer.finishEnqueuing()
    send(.endOfQueue)
  }

  private func spliced(
    _ number: Int, _ outcome: SpliceOutcome, _ traversal: Int, _ lineGeneration: Int,
    _ begin: RationalTime
  ) {
    // Stopped meanwhile.
    guard let new = spliceInFlight, new.content.number == number else { return }
    spliceInFlight = nil
    switch outcome {
    case .done:
      self.lineGeneration = lineGeneration
      if new.lead != nil { passItems(before: .zero - begin) }
      install(new, traversal)
      if new.lead != nil { turned(at: begin) }
    case .late: commit(new)
    case .refused: if preparedSplice == nil { tryAgain(new) }
    }
    if mustFollow {
      mustFollow = false
      follow()
    }
    if mustReadAgain {
      mustReadAgain = false
      readUnheardAgain()
    }
    refill()
    spliceIfPrepared()
    pump()
  }

  /// The renderer plays `new` from now on.
  private func install(_ new: PreparedSplice, _ traversal: Int) {
    self.traversal = traversal
    let old = playing
    if new.lead != nil { spans = [] }
    playing = new.content
    // The step under way for it goes on; nobody wants the old one's any more.
    swap(&decoder, &preparing)
    preparing.letGo()
    if new.lead == nil, let joint = new.joint {
      // What lies before the joint stays; some of it may have been heard meanwhile.
      let place = spans.lastIndex { $0.range.occurrence == joint.occurrence }
      if let place, !new.spliced.contains(where: { $0.begins(joint.occurrence) }) {
        // It could not be opened again, and ends where what is new begins.
        spans[place].end = new.content.begin
        if nowPlaying.span?.range.occurrence == joint.occurrence {
          nowPlaying.span = spans[place]
        }
        spans.removeSubrange((place + 1)...)
      } else {
        spans.removeSubrange((place ?? 0)...)
      }
      playing?.precede(by: old?.begun ?? [], before: joint.occurrence)
    } else if new.lead == nil {
      spans = []
      beginning = new.content.begin
      timelineGeneration = new.generation
    }
    hasFinishedEnqueuing = new.isComplete && new.content.isExhausted
    for piece in new.spliced { place(piece, enqueuing: false) }
    tellGains()
    publish()
    takeLength()
    watchBoundary()
    if new.joint == nil {
      watchFirstFrame(new)
      rest()
    }
    if synchronizer.rate != 0 {
      renderer.perform(.start(at: nil, fade: fade.frames(at: renderer.format.sampleRate)))
    }
    if !hasFinishedEnqueuing {
      renderer.requestMediaDataWhenReady(on: queue) { [weak self] in self?.supply() }
    }
  }

  /// Leaves the machine for a moment to what is about to be heard.
  func rest() {
    // Who pulls waits for nothing else.
    guard !renderer.output.isPulled, synchronizer.rate != 0 else { return }
    restEnd = HostTime.now() + Self.rest
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(Self.rest) + 100_000)) { [weak self] in
      self?.pump()
    }
  }

  /// What was to be spliced in came after its joint: what follows there now will be heard.
  private func commit(_ new: PreparedSplice) {
    guard let joint = new.joint, generation == timelineGeneration, let playing,
      let place = playing.begun.firstIndex(where: { $0.range.occurrence == joint.occurrence })
    else { return }
    let next = playing.begun[(place + 1)...].first(where: \.hasFrames)
    let isCut = playing.begun[place].range.to != new.content.begun.first?.range.to
    let hearing = next.map {
      self.hearing(ofNext: $0.range.occurrence, generation: generation)
    }
    shared.update { state in
      if let hearing, !isCut {
        state.hear(hearing)
      } else {
        state.overran(generation: generation)
      }
    }
    unavoidableNext = isCut ? nil : next?.range.occurrence
    mustFollow = true
  }

  /// The renderer found no room for `new`, nothing that it continues, or another device.
  private func tryAgain(_ new: PreparedSplice) {
    // It may be to go on as it did.
    if new.lead != nil, shared.snapshot.isReversed != new.content.order.isReversed { return }
    guard let joint = new.joint else {
      guard renderer.status != .failed, let first = new.content.begun.first else {
        return shared.settle(new.generation, wasHeard: false)
      }
      return restart(first.range, new.content.order)
    }
    restartAtPlayhead(
      new.content.order, spans.first?.range.occurrence ?? joint.occurrence,
      needed: new.needed + new.needed, fade: new.fade)
  }

  func stop() {
    (playing, preparedSplice, spliceInFlight, boundary, firstFrame) = (nil, nil, nil, nil, nil)
    (mustFollow, unavoidableNext, heldWait) = (false, nil, nil)
    preparing.letGo()
    ahead.prepare([])
    lengthSearch = nil
    spans = []
    publish()
    (beginning, isInterrupted) = (nil, false)
    setRate(0)
    renderer.stopRequestingMediaData()
    renderer.perform(.clear(fade: fade.frames(at: renderer.format.sampleRate), isFlush: false))
    makeCurrent(nil)
  }

  /// Whether a flush has discarded what `playing` continues; only while nothing is being spliced in.
  var isDiscarded: Bool {
    lineGeneration != renderer.output.withLock { renderer.line.generation }
  }

  /// Enqueues again what a flush has discarded, or what was made for another pace, from the playhead
  /// on.
  func refill() {
    guard playing != nil, spliceInFlight == nil, isDiscarded || renderer.isStale else { return }
    let plan = shared.snapshot
    // Where the rate was set outside, the queue is told in a moment.
    guard plan.isReversed == isToReverse else { return }
    if let preparedSplice {
      // Another timeline, or what is still to be heard of this one, is on its way already.
      guard let joint = preparedSplice.joint, joint.until != nil else { return }
      preparing.letGo()
      self.preparedSplice = nil
    }
    guard plan.generation == generation, let current = plan.current else { return }
    // What was out of reach is not any more.
    unavoidableNext = nil
    let heard = hearing?.0
    restartAtPlayhead(
      plan.order, heard?.generation == generation ? heard?.occurrence ?? current : current)
  }
}
