// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers

// What is heard; on the serialization queue.
extension SampleBufferSerializer {
  /// Tells readers on other threads what is on the timeline.
  func publish() {
    nowPlaying.show(
      spans.isEmpty
        ? nil : NowPlaying.Line(generation: timelineGeneration, traversal: traversal, spans: spans))
  }

  private func makeCurrent(_ span: ItemSpan?, after old: ItemSpan?) {
    let isOther = old?.range.occurrence != span?.range.occurrence
    nowPlaying.span = span
    if isOther && span?.range.isLooping != true { send(.currentItemDidChange(span?.item)) }
  }

  func makeCurrent(_ span: ItemSpan?) { makeCurrent(span, after: nowPlaying.span) }

  /// Looks again when the next item is heard.
  func watchBoundary() {
    dropEmptySpans()
    guard let time = boundaryTime else {
      boundary = nil
      return
    }
    boundary = synchronizer.addDeadline(time, traversal: traversal, queue: queue) {
      [weak self] in self?.crossBoundary()
    }
  }

  /// When the next item on the timeline is heard; nil where there is none.
  private var boundaryTime: RationalTime? {
    if let beginning { return spans.first.map { max($0.begin, beginning) } }
    return spans.count > 1 ? spans[1].begin : nil
  }

  /// Crosses the boundaries that lie behind what is heard.
  ///
  /// Whoever watches for them may be late on a busy machine, and where frames are pulled as fast as they
  /// can be: what has been heard by then, hundreds of items, is not to be remembered so long.
  func crossHeardBoundaries() {
    while let time = boundaryTime {
      let reading = synchronizer.reading()
      guard reading.traversal == traversal, reading.ticks >= MediaTicks.ticks(time) else { return }
      crossBoundary()
    }
  }

  /// Settles whoever waits for the first frame of a start, once that has been heard; where nothing is
  /// being heard, at once, as it is next.
  func watchFirstFrame(_ new: PreparedSplice) {
    firstFrame = nil
    let generation = new.generation
    guard shared.isAwaited(generation) else { return }
    let wanted = new.content.begun.first?.range.occurrence
    guard let first = spans.first, first.range.occurrence == wanted else {
      return shared.settle(generation, wasHeard: false)
    }
    guard synchronizer.rate != 0 else { return shared.settle(generation, wasHeard: true) }
    let rate = renderer.timelineRate
    let second = RationalTime(frames: new.content.begin.frames(at: rate) + 1, rate: rate)
    firstFrame = synchronizer.addDeadline(second, traversal: traversal, queue: queue) {
      [weak self] in self?.shared.settle(generation, wasHeard: true)
    }
  }

  /// Nothing is heard any more: a first frame that was waited for is next.
  func settleFirstFrame() {
    guard firstFrame != nil else { return }
    firstFrame = nil
    shared.settle(timelineGeneration, wasHeard: true)
  }

  /// An item without a frame is never heard.
  private func dropEmptySpans() {
    let first = spans.first?.range.occurrence
    spans.removeAll { $0.end == $0.begin && $0.range.occurrence != first }
    if beginning != nil, let first = spans.first, first.end == first.begin { spans.removeFirst() }
  }

  func crossBoundary() {
    if beginning != nil {
      beginning = nil
    } else if spans.count > 1 {
      let old = spans.removeFirst()
      if !spans[0].range.isLooping { send(.itemDidFinish(old.item)) }
    }
    publish()
    if let span = spans.first {
      let occurrence = span.range.occurrence
      playing?.forgetBegun(before: occurrence)
      makeCurrent(span)
      if unavoidableNext == occurrence { unavoidableNext = nil }
      let heard = heardOrUnavoidable
      let state = shared.update { state in
        if let heard { state.hear(heard) }
        return state
      }
      // What follows depends on what is current.
      if state.generation != self.generation || state.stopsAfterCurrent { follow() }
    }
    watchBoundary()
  }

  /// Nothing can be played any more, now or later: what is asked for is answered with the same.
  func fail(_ error: any Error) {
    failure = error
    shared.update { $0.stop() }
    follow()
    send(.failed(error))
  }

  /// Asks whether the end of `content` is the end of all.
  func end(_ content: DecodeAhead) -> Bool {
    let (last, generation) = (content.begun.last?.range.occurrence, generation)
    let isOver = shared.update {
      $0.reachEnd(
        last, generation: generation, isBarren: content.isBarren,
        isReversed: content.order.isReversed)
    }
    if isOver { appliedWish.hasCurrent = false } else { follow() }
    return isOver
  }

  /// The last frame has been heard.
  func reachEnd() {
    guard hasFinishedEnqueuing, preparedSplice == nil, spliceInFlight == nil, let playing else {
      return
    }
    boundary = nil
    while spans.count > 1 || (beginning != nil && !spans.isEmpty) { crossBoundary() }
    guard preparedSplice == nil, spliceInFlight == nil, end(playing) else { return }
    self.playing = nil
    if let last = spans.first { send(.itemDidFinish(last.item)) }
    spans = []
    publish()
    setRate(0)
    makeCurrent(nil)
    send(.endOfQueue)
  }
}
