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
    guard index < items.count else { return stop() }
    postponedEdit = nil
    renderer.expectMore()
    preparing.letGo()
    staging = Staging(
      feed: Feed(items: items, at: index, start: .zero, offset: offset), from: nil, fade: fade,
      isMiddle: offset > .zero, offset: offset, first: items[index].id, kept: [])
    pump()
  }

  func proceed(_ items: PlaylistItems, at index: Int) {
    if let staging, staging.from == nil { return proceed(staging, with: items, at: index) }
    // A rejoin that is still being prepared is made anew from what plays; one that is on its way
    // has to arrive first.
    staging = nil
    guard splicing == nil else {
      postponedEdit = (items, index)
      return
    }
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
    guard index < items.count, items[index].id == staging.first else {
      return restart(items, at: index, offset: .zero)
    }
    var staging = staging
    let begun = staging.feed.begun
    let kept = commonCount(begun, items, at: index)
    // What is being prepared may be no more what follows: then anew, from the same place.
    guard kept == begun.count else { return restart(items, at: index, offset: staging.offset) }
    staging.feed.follow(items, from: index + kept)
    self.staging = staging
    pump()
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
      if feed?.follow(items, from: index + kept, behind: last) == true { return pump() }
      return restartAtPlayhead(items, at: index)
    }
    let span = spans[i]
    let tail = RationalTime(frames: Self.rejoin, rate: span.sampleRate)
    let length = end - span.start
    let offset = length > tail ? length - tail : .zero
    preparing.letGo()
    staging = Staging(
      feed: Feed(items: items, at: index + kept - 1, start: span.start, offset: offset),
      from: span.start + offset, fade: .none, isMiddle: offset > .zero, offset: offset,
      first: last, kept: Array(spans[..<i]))
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
    guard splicing == nil, var staging else { return }
    staging.isComplete = staging.feed.isExhausted
    guard staging.isComplete || staging.feed.waiting >= Self.prepared + staged(staging) else {
      return
    }
    var buffers: [SampleBuffer] = []
    while let piece = staging.feed.popFirst() {
      if case .buffer(let buffer) = piece { buffers.append(buffer) }
      staging.spliced.append(piece)
    }
    self.staging = nil
    if buffers.isEmpty && staging.from == nil { return nothingToPlay() }
    splicing = staging
    let content = renderer.stage(
      buffers, from: staging.feed.begin, isFinished: staging.isComplete,
      fadesIn: staging.isMiddle)
    let number = staging.feed.number
    renderer.replace(from: staging.from, with: content, fade: staging.fade) {
      [weak self] isDone, traversal in
      guard let self else { return }
      queue.async { self.spliced(number, isDone, traversal) }
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
    // Whoever waits for the end has come to it.
    renderer.finishEnqueuing()
    send(.endOfQueue)
  }

  private func spliced(_ number: Int, _ isDone: Bool, _ traversal: Int) {
    // Stopped meanwhile.
    guard let new = splicing, new.feed.number == number else { return }
    splicing = nil
    if isDone {
      install(new, traversal)
    } else if staging == nil {
      let items = postponedEdit?.items ?? new.feed.items
      postponedEdit = nil
      let current = spans.first.flatMap { items.index(of: $0.item.id) }
      return restartAtPlayhead(items, at: current ?? items.index(of: new.first) ?? items.count)
    }
    if let edit = postponedEdit {
      postponedEdit = nil
      proceed(edit.items, at: edit.index)
    }
    spliceIfPrepared()
    pump()
  }

  /// The renderer plays `new` from now on.
  private func install(_ new: Staging, _ traversal: Int) {
    self.traversal = traversal
    // Some of what was kept may have been heard to its end meanwhile.
    let current = nowPlaying.span?.item.id
    let first = new.kept.firstIndex { $0.item.id == current }
    spans = Array(new.kept[(first ?? (current == new.first ? new.kept.count : 0))...])
    feed = new.feed
    // An edit that comes before they are heard finds them ahead of what was made anew.
    feed?.remember(before: spans.map(\.item.id))
    if new.from == nil { isBeginning = true }
    hasFinishedEnqueuing = new.isComplete && new.feed.isExhausted
    for piece in new.spliced { place(piece, enqueuing: false) }
    watchBoundary()
    if synchronizer.rate > 0 {
      renderer.perform(.start(media: nil, fade: fade.frames(at: renderer.format.sampleRate)))
    }
    if !hasFinishedEnqueuing {
      renderer.requestMediaDataWhenReady(on: queue) { [weak self] in self?.supply() }
    }
  }

  func stop() {
    (feed, staging, splicing, postponedEdit, boundary) = (nil, nil, nil, nil, nil)
    preparing.letGo()
    spans = []
    isBeginning = false
    setRate(0)
    renderer.stopRequestingMediaData()
    renderer.flush()
    makeCurrent(nil)
  }

  // MARK: What is heard

  private func makeCurrent(_ span: ItemSpan?) {
    let isOther = nowPlaying.span?.item != span?.item
    nowPlaying.span = span
    if isOther { send(.currentItemDidChange(span?.item)) }
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
    guard hasFinishedEnqueuing, staging == nil, splicing == nil, feed != nil else { return }
    boundary = nil
    while spans.count > 1 || (isBeginning && !spans.isEmpty) { crossBoundary() }
    feed = nil
    if let last = spans.first { send(.itemDidFinish(last.item)) }
    spans = []
    setRate(0)
    makeCurrent(nil)
    send(.endOfQueue)
  }
}
