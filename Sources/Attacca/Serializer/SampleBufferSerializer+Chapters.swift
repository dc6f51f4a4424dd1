// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

// Which chapter is heard; on the serialization queue.
extension SampleBufferSerializer {
  /// Tells which chapter is heard now, where that is another one, and looks again when the next one is.
  func watchChapter() {
    deadlines.chapter = nil
    guard !state.timeline.isBeginning, let span = state.timeline.spans.first,
      nowPlaying.span?.range.occurrence == span.range.occurrence
    else { return }
    guard let map = span.chapterMap else { return hear(nil) }
    let (reading, traversal) = (synchronizer.reading(), state.timeline.traversal)
    guard reading.traversal == traversal else {
      // What turns round, or takes over, is on its way: what it begins with is told once it is heard.
      return watchChapter(at: span.begin)
    }
    let line = ChapterLine(map, of: span)
    let now = line.mark(atTicks: max(reading.ticks, MediaTicks.ticks(span.begin)))
    tell(now, of: span, map, line)
    if let time = line.nextTime(after: now) { watchChapter(at: time) }
  }

  /// Tells what is left of the chapters of the item that is over: who looks for them may be late.
  func passChapters() {
    guard !state.timeline.isBeginning, let span = state.timeline.spans.first,
      nowPlaying.span?.range.occurrence == span.range.occurrence, let map = span.chapterMap
    else { return }
    let line = ChapterLine(map, of: span)
    tell(line.mark(atTicks: .max), of: span, map, line)
  }

  /// Tells the marks that were passed since it was looked last, or since the item began, up to `now`.
  private func tell(_ now: Int?, of span: ItemSpan, _ map: ChapterMap, _ line: ChapterLine) {
    var told = HeardChapter(
      occurrence: span.range.occurrence, generation: state.timeline.generation, place: span.place,
      traversal: state.timeline.traversal, mark: now)
    var passed = [now]
    if let last = nowPlaying.chapter, last.occurrence == told.occurrence,
      last.generation == told.generation
    {
      if last.place == told.place, last.traversal == told.traversal {
        passed = line.passed(from: last.mark, to: now)
      }
    } else {
      let first = line.mark(atTicks: MediaTicks.ticks(span.begin))
      passed = [first] + line.passed(from: first, to: now)
    }
    for mark in passed {
      told.mark = mark
      told.index = mark.flatMap { map.marks[$0].chapter }
      told.chapter = told.index.map { map.all[$0] }
      hear(told)
    }
  }

  private func watchChapter(at time: RationalTime) {
    deadlines.chapter = synchronizer.addDeadline(
      time, traversal: state.timeline.traversal, queue: queue
    ) { [weak self] in self?.watchChapter() }
  }

  /// Remembers what is heard, and tells where that is another one.
  func hear(_ new: HeardChapter?) {
    let old = nowPlaying.chapter
    nowPlaying.chapter = new
    let isSame =
      old?.index == new?.index && (old?.occurrence == new?.occurrence || new?.index == nil)
    if !isSame { send(.chapterDidChange(new?.chapter)) }
  }
}
