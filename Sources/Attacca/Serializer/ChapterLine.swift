// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The marks of an item's chapters on the timeline, in the direction in which the item is played.
struct ChapterLine {
  private let map: ChapterMap
  private let span: ItemSpan

  init(_ map: ChapterMap, of span: ItemSpan) { (self.map, self.span) = (map, span) }

  /// Returns the time at which a mark is passed, either way.
  private func time(of mark: Int) -> RationalTime {
    span.time(of: map.marks[mark].offset)
  }

  /// Tells whether a mark is within what is played: at its end the next item is heard.
  private func isHeard(_ mark: Int) -> Bool {
    let end = span.end ?? span.duration.map { span.time(ofPlace: $0) }
    return end.map { time(of: mark) < $0 } ?? true
  }

  /// Index of the mark that begins what is heard at a tick of the timeline; nil before the first.
  func mark(atTicks ticks: Int64) -> Int? {
    ChapterMap.last(map.marks.count) { mark in
      if span.range.isReversed { return !isHeard(mark) || MediaTicks.ticks(time(of: mark)) > ticks }
      return isHeard(mark) && MediaTicks.ticks(time(of: mark)) <= ticks
    }
  }

  /// The marks from behind `first` to `last`, in the direction of playing.
  func passed(from first: Int?, to last: Int?) -> [Int?] {
    let (first, last) = (first ?? -1, last ?? -1)
    let all = first < last ? Array(first + 1...last) : Array((last..<max(first, last)).reversed())
    return all.map { $0 < 0 ? nil : $0 }
  }

  /// Returns the time at which the next mark is passed; nil where there is none before the item's end.
  func nextTime(after mark: Int?) -> RationalTime? {
    let next = span.range.isReversed ? mark : (mark ?? -1) + 1
    guard let next, map.marks.indices.contains(next), isHeard(next) else { return nil }
    return time(of: next)
  }
}
