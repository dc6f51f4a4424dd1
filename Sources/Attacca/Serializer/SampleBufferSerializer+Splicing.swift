// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering
import SampleBuffers
import SoundFiles

// On the serialization queue.
extension SampleBufferSerializer {
  /// Converts what has been prepared, once it is enough, and has the renderer splice it in.
  func spliceIfPrepared() {
    assertOnQueue()
    guard var splice = state.takePrepared() else { return }
    var buffers: [SampleBuffer] = []
    var parts: [ContentPart] = []
    while let piece = splice.content.popFirst() {
      switch piece {
      case .buffer(let buffer): buffers.append(buffer)
      case .began(var span):
        setGains(of: &span)
        parts.append(span.part)
        splice.spliced.append(.began(span))
        continue
      case .volume(let occurrence, let part, let time):
        if let span = splice.span(of: occurrence) { parts.append(span.part(part, at: time)) }
      case .skip(let occurrence, let skip):
        if let span = splice.skip(skip, of: occurrence) {
          parts.append(span.part(behind: skip))
        }
      case .ended, .tags: break
      }
      splice.spliced.append(piece)
    }
    if buffers.isEmpty && splice.joint == nil { return nothingToPlay(splice) }
    state.launch(splice)
    // What turns round takes over where the playhead is by then.
    let hasHistory = splice.lead == nil && renderer.effectReach().history > 0
    let heard = hasHistory ? splice.from : nil
    let content = renderer.stage(
      buffers, from: splice.content.begin, heardFrom: heard,
      isFinished: splice.isComplete,
      fadesIn: splice.isMiddle, isReversed: splice.content.order.isReversed,
      parts: parts)
    let (number, isShort) = (splice.content.number, splice.isShort)
    nowPlaying.splice(isTurn: splice.lead != nil)
    renderer.splice(
      from: splice.from, until: splice.joint?.until, continuing: splice.joint?.lineGeneration,
      with: content,
      number: splice.generation, fade: splice.fade ?? joinFade, isShort: isShort
    ) { [weak self] outcome, line in
      guard let self else { return }
      queue.async { self.spliced(number, outcome, line) }
    }
  }

  /// No item could be played.
  private func nothingToPlay(_ splice: PreparedSplice) {
    tellSleep()
    shared.settle(splice.generation, wasHeard: false)
    guard end(splice.content) else { return }
    stop()
    // Whoever waits for the end has come to it.
    renderer.finishEnqueuing()
    send(.endOfQueue)
  }

  private func spliced(_ number: Int, _ outcome: SpliceOutcome, _ line: SplicedLine) {
    let answer = state.answered(
      number, outcome, line, isToReverse: shared.snapshot.isReversed,
      hasFailed: renderer.status == .failed)
    // Stopped meanwhile.
    guard let answer else { return }
    perform(answer)
    if state.takeFollow() { follow() }
    if state.takeReadAgain() { readUnheardAgain() }
    refill()
    spliceIfPrepared()
    pump()
  }

  /// The renderer plays `new` from now on.
  func install(_ new: PreparedSplice, _ line: SplicedLine) {
    assertOnQueue()
    tellSkipped()
    state.timeline.lineGeneration = line.generation
    // What turns round is heard from where the line does.
    if new.lead != nil {
      passItems(before: .zero - line.begin)
      // The order is looked at again with each item, and may say by then that nothing is to play.
      guard state.isLanding else { return }
    }
    let cut = state.install(new, traversal: line.traversal)
    decoders.takeOver(new.content.number)
    deadlines.dropTags(from: new.joint == nil ? nil : new.content.begin)
    if let cut, nowPlaying.span?.range.occurrence == cut.range.occurrence { nowPlaying.span = cut }
    for piece in new.spliced { place(piece, enqueuing: false) }
    tellGains()
    publish()
    takeLength()
    watchBoundary()
    if new.joint == nil {
      if synchronizer.rate == 0 { endSleepFade() }
      watchFirstFrame(new)
      rest()
    }
    if synchronizer.rate != 0 {
      renderer.start(fade: fade)
    }
    if !state.timeline.hasFinishedEnqueuing {
      renderer.requestMediaDataWhenReady(on: queue) { [weak self] in self?.supply() }
    }
    if new.lead != nil { turned(at: line.begin) }
    if new.joint == nil { tellSleep() }
  }

  /// Leaves the machine for a moment to what is about to be heard.
  func rest() {
    assertOnQueue()
    // Who pulls waits for nothing else.
    guard !renderer.isPulled, synchronizer.rate != 0 else { return }
    pace.restEnd = HostTime.now() + Self.rest
    queue.asyncAfter(deadline: .now() + .nanoseconds(Int(Self.rest) + 100_000)) { [weak self] in
      self?.pump()
    }
  }

  func stop() {
    assertOnQueue()
    deadlines = HeardDeadlines()
    waits.held = nil
    sleeping.isFallingAsleep = false
    endSleepFade()
    perform(state.stop())
    decoders.ahead.prepare([])
    lookAhead.lengthSearch = nil
    publish()
    transport.stop()
    setRate(0)
    renderer.stopRequestingMediaData()
    renderer.clear(fade: fade)
    makeCurrent(nil)
  }

  /// Reading of the renderer's line as it is now.
  var lineReading: LineReading {
    let (generation, isReversed) = renderer.lineContent
    return LineReading(
      isReversed: isReversed, isDiscarded: generation != state.timeline.lineGeneration,
      isStale: renderer.isStale)
  }

  /// Enqueues again what a flush has discarded, or what was made for another pace, from the playhead
  /// on.
  func refill() {
    assertOnQueue()
    let line = lineReading
    if state.isToRefill(line) { perform(state.refill(shared.snapshot, on: line)) }
  }
}
