// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering
import SampleBuffers

// What is heard; on the serialization queue.
extension SampleBufferSerializer {
  /// Tells readers on other threads what is on the timeline.
  func publish() {
    assertOnQueue()
    nowPlaying.show(
      state.timeline.spans.isEmpty
        ? nil
        : NowPlaying.Line(
          generation: state.timeline.generation, traversal: state.timeline.traversal,
          spans: state.timeline.spans))
  }

  private func makeCurrent(_ span: ItemSpan?, after old: ItemSpan?) {
    assertOnQueue()
    let isOther = old?.range.occurrence != span?.range.occurrence
    nowPlaying.span = span
    if isOther && span?.range.isLooping != true { send(.currentItemDidChange(span?.item)) }
    if span == nil { hear(nil) }
  }

  func makeCurrent(_ span: ItemSpan?) {
    assertOnQueue()
    makeCurrent(span, after: nowPlaying.span)
  }

  /// Looks again when the next item is heard.
  func watchBoundary() {
    assertOnQueue()
    state.timeline.dropEmpty()
    watchChapter()
    guard let time = state.timeline.boundaryTime else {
      deadlines.boundary = nil
      return
    }
    deadlines.boundary = synchronizer.addDeadline(
      time, traversal: state.timeline.traversal, queue: queue
    ) {
      [weak self] in self?.crossBoundary()
    }
  }

  /// Crosses the boundaries that lie behind what is heard.
  ///
  /// Whoever watches for them may be late on a busy machine, and where frames are pulled as fast as they
  /// can be: what has been heard by then, hundreds of items, is not to be remembered so long.
  func crossHeardBoundaries() {
    assertOnQueue()
    while let time = state.timeline.boundaryTime {
      let reading = synchronizer.reading()
      guard reading.traversal == state.timeline.traversal, reading.ticks >= MediaTicks.ticks(time)
      else { return }
      crossBoundary()
    }
  }

  /// Settles whoever waits for the first frame of a start, once that has been heard; where nothing is
  /// being heard, at once, as it is next.
  func watchFirstFrame(_ new: PreparedSplice) {
    assertOnQueue()
    deadlines.firstFrame = nil
    let generation = new.generation
    guard shared.isAwaited(generation) else { return }
    let wanted = new.content.begun.first?.range.occurrence
    guard let first = state.timeline.spans.first, first.range.occurrence == wanted else {
      return shared.settle(generation, wasHeard: false)
    }
    guard synchronizer.rate != 0 else { return shared.settle(generation, wasHeard: true) }
    let rate = renderer.timelineRate
    let second = RationalTime(frames: new.content.begin.frames(at: rate) + 1, rate: rate)
    deadlines.firstFrame = synchronizer.addDeadline(
      second, traversal: state.timeline.traversal, queue: queue
    ) {
      [weak self] in self?.shared.settle(generation, wasHeard: true)
    }
  }

  /// Nothing is heard any more: a first frame that was waited for is next.
  func settleFirstFrame() {
    assertOnQueue()
    guard deadlines.firstFrame != nil else { return }
    deadlines.firstFrame = nil
    shared.settle(state.timeline.generation, wasHeard: true)
  }

  func crossBoundary() {
    assertOnQueue()
    if state.timeline.spans.count > 1 {
      passChapters()
      tellSkipped(before: state.timeline.spans[1].begin)
    }
    let finished = state.timeline.cross()
    if let finished, state.timeline.spans.first?.range.isLooping != true {
      send(.itemDidFinish(finished.item))
    }
    publish()
    if let span = state.timeline.spans.first {
      makeCurrent(span)
      state.hear(span.range.occurrence)
      let heard = heardOrUnavoidable
      let plan = shared.update { state in
        if let heard { state.hear(heard) }
        state.bindSleep(
          to: span.chapterMap, of: span.range.occurrence, at: state.position(heard))
        return state
      }
      // What follows depends on what is current.
      if plan.generation != state.generation || plan.stopsAfterCurrent || plan.sleep != nil {
        follow()
      }
    }
    watchBoundary()
  }

  /// Nothing can be played any more, now or later: what is asked for is answered with the same.
  func fail(_ error: any Error) {
    assertOnQueue()
    state.failure = error
    shared.update { $0.stop() }
    follow()
    send(.failed(error))
  }

  /// Asks whether the end of `content` is the end of all.
  func end(_ content: DecodeAhead) -> Bool {
    assertOnQueue()
    let (last, generation) = (content.begun.last?.range.occurrence, state.generation)
    let end =
      content.begun.last.flatMap { item in
        state.timeline.spans.last { $0.range.occurrence == item.range.occurrence }
      }.map { $0.offset(at: $0.end ?? content.begin) } ?? .zero
    let (isOver, sleep) = shared.update { state in
      let sleep = state.fallAsleep(behind: last, at: end, generation: generation)
      guard sleep == nil else { return (false, sleep) }
      let isOver = state.reachEnd(
        last, generation: generation, barren: content.isBarren ? content.order : nil,
        isReversed: content.order.isReversed)
      return (isOver, nil)
    }
    if sleep == true, let span = state.timeline.spans.first { send(.itemDidFinish(span.item)) }
    sleeping.isFallingAsleep = sleep != nil
    if isOver { transport.end() } else { follow() }
    return isOver
  }

  /// The last frame has been heard.
  func reachEnd() {
    assertOnQueue()
    guard let playing = state.ending else { return }
    deadlines.boundary = nil
    while state.timeline.hasBoundary { crossBoundary() }
    guard !state.isChanging, end(playing) else { return }
    passChapters()
    let last = state.timeline.spans.first
    if let end = last?.end { tellSkipped(before: end) }
    state.end()
    if let last { send(.itemDidFinish(last.item)) }
    publish()
    setRate(0)
    makeCurrent(nil)
    send(.endOfQueue)
  }
}
