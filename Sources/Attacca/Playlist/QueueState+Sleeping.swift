// SPDX-License-Identifier: Apache-2.0

import MediaTime

// The sleep timer.
extension QueueState {
  /// The part of the current item in which the sleep timer has playing end; nil where it does not end within an item.
  var sleepingStretch: Sleep.Stretch? {
    guard let stretch = sleep?.chapter, stretch.occurrence == current else { return nil }
    // A seek may have gone elsewhere, to a chapter that is not known yet.
    let isHere =
      isReversed
      ? stretch.start.map { start.offset > $0 } : stretch.end.map { start.offset < $0 }
    return isHere == true ? stretch : nil
  }

  /// True where the sleep timer has playing end with the current item.
  var sleepsBehindCurrent: Bool {
    guard let sleep, sleepingStretch == nil else { return false }
    return sleep.itemsLeft == 1 || sleep.timer.end == .chapter
  }

  /// Sets the sleep timer; `map` is of the playing `occurrence`, which is heard.
  mutating func setSleep(
    _ timer: SleepTimer?, _ map: ChapterMap?, of occurrence: Occurrence?, hearing: HeardPosition?
  ) {
    sleep = timer.map { Sleep($0) }
    if let occurrence { bindSleep(to: map, of: occurrence, at: position(hearing)) }
  }

  /// Has the sleep timer end with the chapter that is heard at `offset`, where it is to.
  mutating func bindSleep(
    to map: ChapterMap?, of occurrence: Occurrence, at offset: RationalTime
  ) {
    guard sleep?.timer.end == .chapter, occurrence == current else { return }
    let stretch = map?.stretch(around: offset, of: occurrence, isReversed: isReversed)
    sleep?.chapter = stretch
  }

  /// The current item is the next one, by playing on.
  mutating func countSleep() {
    guard let left = sleep?.itemsLeft, left > 1 else { return }
    sleep?.itemsLeft = left - 1
  }

  /// Everything has been heard up to offset `end` of the current item, `last`; pauses where the sleep timer has
  /// playing end there, at the place at which it goes on: where the fade began.
  ///
  /// - Returns: nil where playing does not end by the timer, else whether the item was heard to its end for good.
  mutating func fallAsleep(
    behind last: Occurrence?, at end: RationalTime, generation: Int
  ) -> Bool? {
    guard generation == self.generation, current != nil else { return nil }
    if let last { hear(start.end(of: last)) }
    guard generation == self.generation, let current, let sleep,
      sleepingStretch != nil || sleepsBehindCurrent
    else { return nil }
    let isWithin = sleepingStretch != nil
    self.sleep = nil
    stopsAfterCurrent = false
    if sleep.fade > .zero {
      begin(current, at: isReversed ? end + sleep.fade : max(.zero, end - sleep.fade))
    } else if isWithin {
      begin(current, at: end)
    } else {
      // At the end of the list there is nothing to go on with.
      guard let next = order.following(current) else { return nil }
      begin(next.occurrence)
    }
    transport.pause()
    return sleep.fade == .zero && !isWithin
  }

  /// Pauses at the moment that the sleep timer says, to go on from `place`, where the fade began.
  ///
  /// - Returns: whether it was playing.
  mutating func fallAsleep(from place: HeardPosition?) -> Bool {
    sleep = nil
    guard current != nil else { return false }
    let isPlaying = transport.isPlaying
    transport.pause()
    if let place, place.generation == generation, tree.index(of: place.occurrence.id) != nil {
      begin(place.occurrence, at: max(.zero, place.offset))
    }
    return isPlaying
  }
}

extension ChapterMap {
  /// The chapter that is heard at `offset`, or what lies between two.
  fileprivate func stretch(
    around offset: RationalTime, of occurrence: Occurrence, isReversed: Bool
  ) -> Sleep.Stretch {
    let place = Self.last(marks.count) {
      isReversed ? marks[$0].offset < offset : marks[$0].offset <= offset
    }
    let next = place.map { $0 + 1 } ?? 0
    return Sleep.Stretch(
      occurrence: occurrence, start: place.map { marks[$0].offset },
      end: next < marks.count ? marks[next].offset : nil)
  }
}
