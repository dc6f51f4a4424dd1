// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SoundFiles

/// Places of an item's chapters: the innermost one that is heard, to the frame of the item's file.
final class ChapterMap: Sendable {
  /// A place from which on another chapter is heard.
  struct Mark: Equatable {
    let offset: RationalTime
    /// Its index among `all`; nil for none.
    let chapter: Int?
  }

  /// As the file has them, in order.
  let chapters: [Chapter]
  /// All of them, the parts of each behind it.
  let all: [Chapter]
  /// In order; no two at one place.
  let marks: [Mark]
  /// Places where chapters begin, each once.
  let starts: [RationalTime]

  /// Gaps that are shorter belong to the chapter before: writers of ID3 often end one a millisecond before the next.
  private static let shortestGap = RationalTime(frames: 1, rate: 1)

  /// nil where there are none; `rate` is the file's.
  init?(_ chapters: [Chapter], rate: Int) {
    guard !chapters.isEmpty else { return nil }
    let ordered = chapters.inOrder()
    var layout = Layout(rate: rate)
    layout.add(ordered, parent: nil, end: nil)
    (self.chapters, all, marks) = (ordered, ordered.flattened, layout.marks)
    starts = layout.starts
  }

  /// Index of the mark that `offset` is behind, or at; nil before the first.
  func mark(at offset: RationalTime) -> Int? {
    Self.last(marks.count) { marks[$0].offset <= offset }
  }

  /// Index of the chapter's start that `offset` is behind, or at unless `isBehind`; nil before the first.
  func start(at offset: RationalTime, isBehind: Bool = false) -> Int? {
    Self.last(starts.count) { isBehind ? starts[$0] < offset : starts[$0] <= offset }
  }

  /// The last index for which `holds` does, which does so for all before it.
  static func last(_ count: Int, where holds: (Int) -> Bool) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  private struct Layout {
    let rate: Int
    private(set) var marks: [Mark] = []
    private(set) var starts: [RationalTime] = []
    private var count = 0

    init(rate: Int) { self.rate = rate }

    /// Of siblings that overlap the later one takes over; the last of all lasts to the item's end.
    mutating func add(_ chapters: [Chapter], parent: Int?, end: RationalTime?) {
      for (i, chapter) in chapters.enumerated() {
        let index = count
        count += 1
        let start = frame(chapter.start)
        let next = i + 1 < chapters.count ? frame(chapters[i + 1].start) : nil
        var own = chapter.end.map { frame($0) }
        if parent == nil, next == nil { own = nil }
        if let told = own, let next, next < told + ChapterMap.shortestGap { own = next }
        let limit = [own, next, end].compactMap(\.self).min()
        put(start, index)
        if limit.map({ $0 > start }) ?? true { starts.append(start) }
        add(chapter.chapters, parent: index, end: limit)
        if let limit { put(limit, parent) }
      }
      if parent == nil {
        starts = starts.sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
      }
    }

    private mutating func put(_ time: RationalTime, _ chapter: Int?) {
      let offset = max(time, marks.last?.offset ?? .zero)
      if marks.last?.offset == offset { marks.removeLast() }
      if let last = marks.last, last.chapter == chapter { return }
      if marks.isEmpty, chapter == nil { return }
      marks.append(Mark(offset: offset, chapter: chapter))
    }

    /// The frame that a seek there leads to.
    private func frame(_ time: MediaTime) -> RationalTime {
      guard time.isNumeric else { return time.isPositiveInfinity ? PlayedRange.end : .zero }
      let offset = min(max(RationalTime(time), .zero), PlayedRange.end)
      return RationalTime(frames: offset.frames(at: rate), rate: rate)
    }
  }
}
