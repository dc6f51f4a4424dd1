// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

// On the serialization queue.
extension SampleBufferSerializer {
  /// Hands over what is ready as long as the renderer wants it, and has more decoded.
  func pump() {
    assertOnQueue()
    // What is spliced in takes the place of what plays at any moment: nothing of that may follow it.
    guard !state.isSplicing else { return decodeNext() }
    while let piece = state.playing?.pieces.first {
      if case .buffer = piece, !renderer.isReadyForMoreMediaData { break }
      _ = state.playing?.popFirst()
      // The next is decoded while this one is converted, by who pulls: a device has seconds of lead,
      // and another buffer would be 375 KB.
      if waits.isHungry, renderer.isPulled { decodeNext() }
      place(piece, enqueuing: true)
    }
    finishIfExhausted()
    waits.isHungry = state.playing?.pieces.isEmpty == true && renderer.isReadyForMoreMediaData
    decodeNext()
    if waits.isHungry {
      decoders.playing.hurry()
      // Who pulls is not told that there is nothing.
      if renderer.isPulled, decoders.playing.isBusy { watchForWait() }
    }
    updateWait()
  }

  /// The renderer is ready for more.
  func supply() {
    assertOnQueue()
    crossHeardBoundaries()
    tellSkipped()
    decoders.playing.collect()
    pump()
  }

  /// Puts one piece on the timeline.
  func place(_ piece: DecodeAhead.Piece, enqueuing: Bool) {
    assertOnQueue()
    switch piece {
    case .began(var span):
      span.place = state.timeline.nextPlace()
      if enqueuing {
        setGains(of: &span)
        renderer.beginContent(span.part, continuing: state.timeline.lineGeneration)
      }
      state.timeline.spans.append(span)
    case .buffer(let buffer):
      if enqueuing { renderer.enqueue(buffer, continuing: state.timeline.lineGeneration) }
      state.timeline.handedEnd = buffer.endTime
      return
    case .volume(let occurrence, let part, let time):
      guard enqueuing,
        let span = state.timeline.spans.last(where: { $0.range.occurrence == occurrence })
      else {
        return
      }
      renderer.beginContent(
        span.part(part, at: time), continuing: state.timeline.lineGeneration)
      return
    case .skip(let occurrence, let skip):
      guard let i = state.timeline.skip(skip, of: occurrence) else { return }
      let span = state.timeline.spans[i]
      if enqueuing {
        renderer.beginContent(span.part(behind: skip), continuing: state.timeline.lineGeneration)
      }
      if nowPlaying.span?.range.occurrence == occurrence { nowPlaying.span = span }
    case .tags(let occurrence, let tags, let time):
      watchTags(tags, of: occurrence, at: time)
      return
    case .ended(let occurrence, let end):
      endHold(of: occurrence)
      guard let i = state.timeline.end(occurrence, at: end) else { return }
      if state.timeline.spans[i].duration == nil,
        let item = state.playing?.begun.last(where: { $0.range.occurrence == occurrence }),
        let duration = item.duration
      {
        learn(duration, of: state.timeline.spans[i])
      }
      if nowPlaying.span?.range.occurrence == occurrence {
        nowPlaying.span = state.timeline.spans[i]
      }
    }
    guard enqueuing else { return }
    publish()
    watchBoundary()
  }

  private func finishIfExhausted() {
    guard state.finishIfExhausted() else { return }
    renderer.stopRequestingMediaData()
    renderer.finishEnqueuing(continuing: state.timeline.lineGeneration)
  }

  /// Has the decoder threads work on what plays and on what is being prepared, one for each: the
  /// one must not wait for the other's file.
  func decodeNext() {
    assertOnQueue()
    // No more of it than the splice needs, however long the one before waits for its answer.
    if !decoders.preparing.isBusy,
      let step = state.nextPreparingStep(duration: prepared),
      let content = state.preparedSplice?.content
    {
      decoders.preparing.run(step, for: content.number, isUrgent: true)
      if content.waiting > .zero, !content.isOpen { beginShort(with: content) }
    }
    // A step ahead: one is handed over while the next is decoded. What is spliced in takes the place
    // of what plays, or is refused within the time of an answer.
    guard !decoders.playing.isBusy, !state.isSplicing, HostTime.now() >= pace.restEnd,
      let step = state.nextPlayingStep(duration: step), let number = state.playing?.number
    else { return }
    decoders.playing.run(step, for: number, isUrgent: waits.isHungry)
  }

  /// Begins with the little that `content` has of the first items, if nothing more of it comes soon: a
  /// step takes 5 ms as a rule, and 50 are not heard as late.
  ///
  /// What comes bit by bit is waited for: items of 5 ms that take as long to open ran dry.
  private func beginShort(with content: DecodeAhead) {
    let (number, waiting) = (content.number, content.waiting)
    queue.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in
      guard let self, let splice = state.preparedSplice, splice.content.number == number,
        !splice.isPrepared
      else { return }
      guard splice.content.waiting == waiting else { return beginShort(with: splice.content) }
      state.beginShort()
      spliceIfPrepared()
      pump()
    }
  }

  /// Takes what came of a step for the content with a number.
  func take(_ pending: PendingOutcome, for number: Int) {
    assertOnQueue()
    var outcome = pending.take()
    let skipped = pending.takeSkipped()
    update(number) {
      // Nothing else may hold its memory when the next step is begun.
      guard let outcome = outcome.take() else { return }
      tell($0.take(outcome, behind: skipped))
    }
  }

  /// Goes on without a step for the content with a number, which has taken so many nanoseconds.
  ///
  /// It could not open the `skipped` items before that.
  func giveUp(
    _ item: PlaylistItem, _ skipped: SkippedItems?, for number: Int, after nanoseconds: UInt64
  ) {
    assertOnQueue()
    let error = SoundFileError(
      .broken, path: item.path, call: "decode",
      cause: "no progress for \(nanoseconds / 1_000_000) ms; given up on")
    tell((skipped.map { [ItemFailure($0)] } ?? []) + [ItemFailure(item: item, error: error)])
    guard decoders.abandoned <= DecoderWatchdog.abandonedLimit else {
      return fail(item: item)
    }
    // The next file may be on the same disk.
    if waiting != nil { watchForWait() }
    update(number) { $0.giveUp(behind: skipped) }
  }

  private func tell(_ failures: [ItemFailure]) {
    if !failures.isEmpty { send(.itemsDidFail(failures)) }
  }

  /// Sees to what the content with a number has decided on where items overlap.
  private func followOverlaps(of number: Int) {
    guard let overlaps = state.overlaps(of: number) else { return }
    lookAhead.follow(overlaps)
    // The order changed while that was decided.
    if overlaps.isMisled { follow() }
  }

  /// Changes the content with a number, if it is still wanted, and goes on.
  private func update(_ number: Int, _ body: (inout DecodeAhead) -> Void) {
    perform(state.update(number, body))
    followOverlaps(of: number)
    pump()
    openAhead()
    searchLength()
  }

  /// Too many threads hang: no file can be trusted to come back.
  private func fail(item: PlaylistItem) {
    let count = decoders.abandoned
    let final = SoundFileError(
      .broken, path: item.path, call: "decode",
      cause: "\(count) decoder threads hang; nothing more can be played")
    fail(final)
  }
}
