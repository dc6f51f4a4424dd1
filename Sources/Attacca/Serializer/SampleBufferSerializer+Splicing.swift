// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

// On the serialization queue.
extension SampleBufferSerializer {
  /// How much of the item before a joint is rendered again when what follows it changes: its last
  /// frames were converted with the old neighbour in the filter's reach.
  private static let rejoin = Int64(OpenItem.history)

  func restart(_ items: PlaylistItems, at index: Int, offset: RationalTime) {
    generation += 1
    guard index < items.count else { return stop() }
    staging = Staging(
      feed: Feed(items: items, at: index, start: .zero, offset: offset), from: nil, fade: fade,
      isMiddle: offset > .zero, kept: [])
    pump()
  }

  func proceed(_ items: PlaylistItems, at index: Int) {
    if let staging { return proceed(staging, with: items, at: index) }
    guard var feed else { return }
    if let current = spans.first?.item.id { feed.forgetBegun(before: current) }
    var index = index
    // The first of them may have ended since the caller looked.
    if let current = feed.begun.first, index + 1 < items.count, items[index].id != current,
      items[index + 1].id == current
    {
      index += 1
    }
    let kept = commonCount(feed.begun, items, at: index)
    guard kept > 0 else { return restart(items, at: index, offset: .zero) }
    if kept == feed.begun.count && !hasFinishedEnqueuing {
      feed.follow(items, from: index + kept)
      self.feed = feed
      return pump()
    }
    if kept == feed.begun.count && index + kept == items.count { return }
    rejoin(items, at: index, kept: kept)
  }

  private func proceed(_ staging: Staging, with items: PlaylistItems, at index: Int) {
    var staging = staging
    let begun = staging.feed.begun
    if let first = begun.first, items[index...].first?.id == first {
      let kept = commonCount(begun, items, at: index)
      if kept == begun.count {
        staging.feed.follow(items, from: index + kept)
        self.staging = staging
        return pump()
      }
      // What is being prepared is no more what follows: prepare it anew, from the same place.
      return restart(items, at: index, offset: staging.from == nil ? staging.feed.begin : .zero)
    }
    restart(items, at: index, offset: .zero)
  }

  private func commonCount(
    _ begun: [PlaylistItem.ID], _ items: PlaylistItems, at index: Int
  ) -> Int {
    var count = 0
    while count < begun.count, index + count < items.count, begun[count] == items[index + count].id
    { count += 1 }
    return count
  }

  /// The first `kept` items go on; what follows them is spliced in at their end.
  private func rejoin(_ items: PlaylistItems, at index: Int, kept: Int) {
    let last = items[index + kept - 1].id
    guard let i = spans.firstIndex(where: { $0.item.id == last }), let end = spans[i].end else {
      // Its end has not been handed over yet, so nothing after it has.
      return restartAtPlayhead(items, at: index)
    }
    generation += 1
    let span = spans[i]
    let tail = RationalTime(frames: Self.rejoin, rate: span.sampleRate)
    let length = end - span.start
    let offset = length > tail ? length - tail : .zero
    staging = Staging(
      feed: Feed(items: items, at: index + kept - 1, start: span.start, offset: offset),
      from: span.start + offset, fade: .none, isMiddle: offset > .zero,
      kept: Array(spans[..<i]))
    pump()
  }

  /// Plays `items` from where the playhead is: the way that always works.
  private func restartAtPlayhead(_ items: PlaylistItems, at index: Int) {
    guard let current = spans.first else { return restart(items, at: index, offset: .zero) }
    let offset = RationalTime(synchronizer.currentTime()) - current.start
    restart(items, at: index, offset: offset > .zero ? offset : .zero)
  }

  /// Converts what has been prepared, once it is enough, and has the renderer splice it in.
  func spliceIfPrepared() {
    guard var staging, !staging.isSplicing else { return }
    let isComplete = staging.feed.isExhausted
    guard isComplete || staging.feed.waiting >= Self.prepared + staged(staging) else { return }
    var buffers: [SampleBuffer] = []
    while let piece = staging.feed.popFirst() {
      if case .buffer(let buffer) = piece { buffers.append(buffer) }
      staging.spliced.append(piece)
    }
    staging.isSplicing = true
    self.staging = staging
    if buffers.isEmpty && staging.kept.isEmpty && staging.from == nil {
      return nothingToPlay()
    }
    let content = renderer.stage(
      buffers, from: staging.feed.begin, isFinished: isComplete, fadesIn: staging.isMiddle)
    let generation = self.generation
    renderer.replace(from: staging.from, with: content, fade: staging.fade) {
      [weak self] isDone, traversal in
      guard let self else { return }
      queue.async { self.spliced(isDone, traversal, generation: generation, isComplete) }
    }
  }

  /// What a rejoin prepares beyond what every splice does.
  private func staged(_ staging: Staging) -> RationalTime {
    guard staging.from != nil, let rate = spans.first?.sampleRate else { return .zero }
    return RationalTime(frames: Self.rejoin, rate: rate)
  }

  /// No item could be played.
  private func nothingToPlay() {
    stop()
    send(.endOfQueue)
  }

  private func spliced(_ isDone: Bool, _ traversal: Int, generation: Int, _ isComplete: Bool) {
    guard generation == self.generation, let staging else { return }
    self.staging = nil
    guard isDone else {
      let items = staging.feed.items
      let current = spans.first.flatMap { items.index(of: $0.item.id) }
      return restartAtPlayhead(items, at: current ?? staging.feed.nextIndex - 1)
    }
    self.traversal = traversal
    feed = staging.feed
    spans = staging.kept
    if staging.from == nil { isBeginning = true }
    hasFinishedEnqueuing = isComplete
    for piece in staging.spliced { place(piece, enqueuing: false) }
    watchBoundary()
    if synchronizer.rate > 0 {
      renderer.perform(.start(media: nil, fade: fade.frames(at: renderer.format.sampleRate)))
    }
    if !isComplete {
      renderer.requestMediaDataWhenReady(on: queue) { [weak self] in self?.pump() }
    }
    pump()
  }

  func stop() {
    generation += 1
    (feed, staging, boundary) = (nil, nil, nil)
    spans = []
    isBeginning = false
    setRate(0)
    renderer.stopRequestingMediaData()
    renderer.flush()
    makeCurrent(nil)
  }

  // MARK: What is heard

  private func makeCurrent(_ span: ItemSpan?) {
    let wasNil = nowPlaying.span == nil
    nowPlaying.span = span
    if span != nil || !wasNil { send(.currentItemDidChange(span?.item)) }
  }

  /// Looks again when the next item is heard.
  func watchBoundary() {
    dropEmptySpans()
    let next = isBeginning ? 0 : 1
    guard spans.count > next else {
      boundary = nil
      return
    }
    let time = isBeginning ? max(spans[0].start, feed?.begin ?? spans[0].start) : spans[1].start
    boundary = synchronizer.addDeadline(time, traversal: traversal, queue: queue) {
      [weak self] in self?.crossBoundary()
    }
  }

  /// An item without a frame is never heard.
  private func dropEmptySpans() {
    let first = spans.first?.item.id
    spans.removeAll { $0.end == $0.start && $0.item.id != first }
    if isBeginning, let first = spans.first, first.end == first.start { spans.removeFirst() }
  }

  private func crossBoundary() {
    if isBeginning {
      isBeginning = false
    } else if spans.count > 1 {
      send(.itemDidFinish(spans.removeFirst().item))
    }
    if let span = spans.first {
      feed?.forgetBegun(before: span.item.id)
      makeCurrent(span)
    }
    watchBoundary()
  }

  func rendererDid(_ event: RendererEvent) {
    switch event {
    case .drained: reachEnd()
    case .underrun(let time): send(.underrun(at: time))
    case .outputConfigurationDidChange: send(.outputDidChange)
    case .failed(let error):
      stop()
      send(.failed(error))
    case .wasFlushedAutomatically, .lateSplice: break
    }
  }

  /// The last frame has been heard.
  private func reachEnd() {
    guard hasFinishedEnqueuing, staging == nil, feed != nil else { return }
    boundary = nil
    while spans.count > 1 || (isBeginning && !spans.isEmpty) { crossBoundary() }
    generation += 1
    feed = nil
    if let last = spans.first { send(.itemDidFinish(last.item)) }
    spans = []
    setRate(0)
    makeCurrent(nil)
    send(.endOfQueue)
  }
}
