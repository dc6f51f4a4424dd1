// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

// On the serialization queue.
extension SampleBufferSerializer {
  /// Converts what has been prepared, once it is enough, and has the renderer splice it in.
  func spliceIfPrepared() {
    guard splicing == nil, var staging else { return }
    staging.isComplete = staging.feed.isExhausted
    guard staging.isPrepared else { return }
    // What cannot be played this way is left out, and what follows it has another place.
    if staging.lead != nil, staging.feed.isBehindJoint {
      (staging.joint, staging.lead) = (nil, nil)
    }
    var buffers: [SampleBuffer] = []
    var parts: [ContentPart] = []
    while let piece = staging.feed.popFirst() {
      switch piece {
      case .buffer(let buffer): buffers.append(buffer)
      case .began(var span):
        setGains(of: &span)
        parts.append(span.part)
        staging.spliced.append(.began(span))
        continue
      case .volume(let occurrence, let part):
        if let span = staging.span(of: occurrence) { parts.append(span.part(part)) }
      case .ended: break
      }
      staging.spliced.append(piece)
    }
    self.staging = nil
    if buffers.isEmpty && staging.joint == nil { return nothingToPlay(staging) }
    splicing = staging
    // What turns round takes over where the playhead is by then.
    let hasHistory = staging.lead == nil && renderer.effectReach().history > 0
    let heard = hasHistory ? staging.from : nil
    let content = renderer.stage(
      buffers, from: staging.feed.begin, heardFrom: heard, isFinished: staging.isComplete,
      fadesIn: staging.isMiddle, isReversed: staging.feed.order.isReversed, parts: parts)
    let (number, isShort) = (staging.feed.number, staging.isShort)
    nowPlaying.splice(isTurn: staging.lead != nil)
    renderer.replace(
      from: staging.from, until: staging.joint?.until, with: content,
      fade: staging.fade ?? joinFade
    ) { [weak self] outcome, traversal in
      guard let self else { return }
      renderer.startsShort = isShort
      let line = renderer.line.generation
      let begin = RationalTime(renderer.line.map.last.media, rate: renderer.line.rate)
      queue.async { self.spliced(number, outcome, traversal, line, begin) }
    }
  }

  /// No item could be played.
  private func nothingToPlay(_ staging: Staging) {
    shared.settle(staging.generation, wasHeard: false)
    guard end(staging.feed) else { return }
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
    guard let new = splicing, new.feed.number == number else { return }
    splicing = nil
    switch outcome {
    case .done:
      self.lineGeneration = lineGeneration
      if new.lead != nil { passItems(before: .zero - begin) }
      install(new, traversal)
      if new.lead != nil { turned(at: begin) }
    case .late: commit(new)
    case .refused: if staging == nil { tryAgain(new) }
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
  private func install(_ new: Staging, _ traversal: Int) {
    self.traversal = traversal
    let old = feed
    if new.lead != nil { spans = [] }
    feed = new.feed
    // The step under way for it goes on; nobody wants the old one's any more.
    swap(&decoding, &preparing)
    preparing.letGo()
    if new.lead == nil, let joint = new.joint {
      // What lies before the joint stays; some of it may have been heard meanwhile.
      let place = spans.lastIndex { $0.passage.occurrence == joint.occurrence }
      if let place, !new.spliced.contains(where: { $0.begins(joint.occurrence) }) {
        // It could not be opened again, and ends where what is new begins.
        spans[place].end = new.feed.begin
        if nowPlaying.span?.passage.occurrence == joint.occurrence {
          nowPlaying.span = spans[place]
        }
        spans.removeSubrange((place + 1)...)
      } else {
        spans.removeSubrange((place ?? 0)...)
      }
      feed?.precede(by: old?.begun ?? [], before: joint.occurrence)
    } else if new.lead == nil {
      spans = []
      beginning = new.feed.begin
      installed = new.generation
    }
    hasFinishedEnqueuing = new.isComplete && new.feed.isExhausted
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
  private func commit(_ new: Staging) {
    guard let joint = new.joint, generation == installed, let feed,
      let place = feed.begun.firstIndex(where: { $0.passage.occurrence == joint.occurrence })
    else { return }
    let next = feed.begun[(place + 1)...].first(where: \.hasFrames)
    let isCut = feed.begun[place].passage.to != new.feed.begun.first?.passage.to
    let hearing = next.map {
      self.hearing(ofNext: $0.passage.occurrence, generation: generation)
    }
    shared.update { state in
      if let hearing, !isCut {
        state.hear(hearing)
      } else {
        state.overran(generation: generation)
      }
    }
    committed = isCut ? nil : next?.passage.occurrence
    mustFollow = true
  }

  /// The renderer found no room for `new`, nothing that it continues, or another device.
  private func tryAgain(_ new: Staging) {
    // It may be to go on as it did.
    if new.lead != nil, shared.snapshot.isReversed != new.feed.order.isReversed { return }
    guard let joint = new.joint else {
      guard renderer.status != .failed, let first = new.feed.begun.first else {
        return shared.settle(new.generation, wasHeard: false)
      }
      return restart(first.passage, new.feed.order)
    }
    restartAtPlayhead(
      new.feed.order, spans.first?.passage.occurrence ?? joint.occurrence,
      needed: new.needed + new.needed, fade: new.fade)
  }

  func stop() {
    (feed, staging, splicing, boundary, firstFrame) = (nil, nil, nil, nil, nil)
    (mustFollow, committed, heldWait) = (false, nil, nil)
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

  /// Whether a flush has discarded what `feed` continues; only while nothing is being spliced in.
  var isDiscarded: Bool {
    lineGeneration != renderer.output.withLock { renderer.line.generation }
  }

  /// Enqueues again what a flush has discarded, or what was made for another pace, from the playhead
  /// on.
  func refill() {
    guard feed != nil, splicing == nil, isDiscarded || renderer.isStale else { return }
    let plan = shared.snapshot
    // Where the rate was set outside, the queue is told in a moment.
    guard plan.isReversed == isToReverse else { return }
    if let staging {
      // Another timeline, or what is still to be heard of this one, is on its way already.
      guard let joint = staging.joint, joint.until != nil else { return }
      preparing.letGo()
      self.staging = nil
    }
    guard plan.generation == generation, let current = plan.current else { return }
    // What was out of reach is not any more.
    committed = nil
    let heard = hearing?.0
    restartAtPlayhead(
      plan.order, heard?.generation == generation ? heard?.occurrence ?? current : current)
  }
}
