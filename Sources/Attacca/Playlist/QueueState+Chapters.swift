// SPDX-License-Identifier: Apache-2.0

import MediaTime

// Chapters of the current item; `map` is of the playing `occurrence`, which is heard.
extension QueueState {
  /// Goes to the next chapter, backwards from its end; behind the last one, and where there are none, to the next
  /// item.
  mutating func skipChapter(
    _ map: ChapterMap?, of occurrence: Occurrence?, hearing: HeardPosition?
  ) {
    guard let map, let current, current == occurrence else { return skip() }
    let place = map.start(at: position(hearing), isBehind: isReversed).map { $0 + 1 } ?? 0
    guard place < map.starts.count else { return skip() }
    guard isReversed else { return begin(current, at: map.starts[place]) }
    begin(current, at: place + 1 < map.starts.count ? map.starts[place + 1] : PlayedRange.end)
  }

  /// Loops in the chapter that is heard; nothing changes where none is.
  mutating func loopChapter(
    _ map: ChapterMap?, of occurrence: Occurrence?, hearing: HeardPosition?
  ) {
    guard let map, let current, current == occurrence else { return }
    let offset = position(hearing)
    let place = ChapterMap.last(map.marks.count) {
      isReversed ? map.marks[$0].offset < offset : map.marks[$0].offset <= offset
    }
    guard let place, map.marks[place].chapter != nil else { return }
    let from = map.marks[place].offset
    let end = place + 1 < map.marks.count ? map.marks[place + 1].offset : PlayedRange.end
    loop = ItemLoop(id: current.id, from: from, to: max(end, from + ItemLoop.shortest))
  }

  /// Goes to the start of the chapter, or, within its first 3 seconds, to the chapter before.
  ///
  /// Backwards it is always the chapter before, from its end. Before the first one it goes to the item before, as
  /// `goBack` does.
  mutating func goBackAChapter(
    _ map: ChapterMap?, of occurrence: Occurrence?, hearing: HeardPosition?
  ) {
    guard let map, let current, current == occurrence else { return goBack(hearing: hearing) }
    let position = position(hearing)
    guard let place = map.start(at: position, isBehind: isReversed) else {
      return goBack(hearing: hearing)
    }
    if isReversed {
      guard place > 0 else { return goBack(hearing: hearing) }
      begin(current, at: map.starts[place])
    } else if position - map.starts[place] > Self.restartWithin {
      begin(current, at: map.starts[place])
    } else {
      guard place > 0 else { return goBack(hearing: hearing) }
      begin(current, at: map.starts[place - 1])
    }
  }
}
