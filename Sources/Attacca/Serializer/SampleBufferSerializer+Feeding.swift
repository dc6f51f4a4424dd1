// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

// On the serialization queue.
extension SampleBufferSerializer {
  /// Hands over what is ready as long as the renderer wants it, and has more decoded.
  func pump() {
    guard var feed else { return decodeNext() }
    self.feed = nil
    while let piece = feed.pieces.first {
      if case .buffer = piece, !renderer.isReadyForMoreMediaData { break }
      _ = feed.popFirst()
      place(piece, enqueuing: true)
    }
    self.feed = feed
    finishIfExhausted()
    decodeNext()
  }

  /// Puts one piece on the timeline.
  func place(_ piece: Feed.Piece, enqueuing: Bool) {
    switch piece {
    case .began(let span):
      spans.append(span)
      watchBoundary()
    case .buffer(let buffer):
      if enqueuing { renderer.enqueue(buffer) }
    case .ended(let id, let end):
      if let i = spans.lastIndex(where: { $0.item.id == id }) {
        spans[i].end = end
        if nowPlaying.span?.item.id == id { nowPlaying.span = spans[i] }
      }
      watchBoundary()
    }
  }

  private func finishIfExhausted() {
    guard let feed, feed.isExhausted, feed.pieces.isEmpty, staging == nil,
      !hasFinishedEnqueuing
    else { return }
    hasFinishedEnqueuing = true
    renderer.stopRequestingMediaData()
    renderer.finishEnqueuing()
  }

  /// Has the decoder thread work on what is most urgent: what is being prepared, then what plays.
  func decodeNext() {
    guard !decoding.isBusy else { return }
    if var staging, !staging.isSplicing, let step = staging.feed.nextStep(duration: prepareStep) {
      self.staging = staging
      return run(step, ofStaging: true, limit: decoding.patience)
    }
    // Two steps ahead: one is handed over while the next is decoded.
    guard var feed, feed.waiting < step, let step = feed.nextStep(duration: step) else { return }
    self.feed = feed
    run(step, ofStaging: false, limit: patience(for: step))
  }

  private var prepareStep: RationalTime { Self.prepared }

  /// How long a step of what plays may take: 5 s, or until shortly before what is enqueued runs
  /// out, if the item is one that follows.
  private func patience(for step: DecodeStep) -> Double {
    guard let current = spans.first, current.item.id != step.item.id else {
      return decoding.patience
    }
    let lead = renderer.output.withLock { renderer.lead }
    let seconds = Double(lead) / Double(renderer.format.sampleRate)
    guard synchronizer.rate > 0, seconds > 0 else { return decoding.patience }
    return min(decoding.patience, max(seconds - Decoding.reserve, Decoding.reserve))
  }

  private func run(_ step: DecodeStep, ofStaging: Bool, limit: Double) {
    let generation = self.generation
    decoding.run(step, limit: limit) { [weak self] outcome in
      guard let self else { return }
      guard generation == self.generation else { return self.pump() }
      self.take(ofStaging: ofStaging) {
        if let failure = $0.take(outcome) { self.send(.itemDidFail(failure.item, failure.error)) }
      }
    } gaveUp: { [weak self] seconds in
      guard let self else { return }
      let error = SoundFileError(
        .broken, path: step.item.path, call: "decode",
        cause: "no progress for \(Int(seconds * 1_000)) ms; given up on")
      guard self.decoding.abandoned <= Decoding.abandonedLimit else {
        return self.fail(item: step.item, error)
      }
      self.send(.itemDidFail(step.item, error))
      guard generation == self.generation else { return self.pump() }
      self.take(ofStaging: ofStaging) { $0.giveUp(on: step.item) }
    }
  }

  private func take(ofStaging: Bool, _ body: (inout Feed) -> Void) {
    if ofStaging {
      guard staging != nil else { return }
      body(&staging!.feed)
      spliceIfPrepared()
    } else if feed != nil {
      body(&feed!)
    }
    pump()
  }

  /// Too many threads hang: no file can be trusted to come back.
  private func fail(item: PlaylistItem, _ error: SoundFileError) {
    send(.itemDidFail(item, error))
    let final = SoundFileError(
      .broken, path: item.path, call: "decode",
      cause: "\(decoding.abandoned) decoder threads hang; nothing more can be played")
    stop()
    send(.failed(final))
  }
}
