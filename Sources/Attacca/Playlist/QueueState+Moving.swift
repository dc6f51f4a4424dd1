// SPDX-License-Identifier: Apache-2.0

import MediaTime

// Changes of the place where playing is, and of what follows it.
extension QueueState {
  /// Within so much of an item's start, `goBack` goes to the item before.
  static let restartWithin = RationalTime(frames: 3, rate: 1)

  mutating func play(rate: Double? = nil) {
    transport.requestRate(rate)
    switch cursor {
    case .at: break
    case .stopped:
      guard tree.count > 0 else { return }
      begin(Occurrence(id: tree[isReversed ? tree.count - 1 : 0].id, pass: 0))
    case .ended(let gap):
      guard tree.count > 0 else { break }
      let next = isReversed ? (gap > 0 ? gap : tree.count) - 1 : gap < tree.count ? gap : 0
      begin(Occurrence(id: tree[next].id, pass: 0))
    }
    transport.isPlaying = true
  }

  mutating func pause() { transport.pause() }

  mutating func togglePlaying() {
    if transport.isPlaying && current != nil { pause() } else { play() }
  }

  mutating func stop() {
    pause()
    start.end()
    cursor = .stopped
    stopsAfterCurrent = false
    sleep = nil
  }

  /// Goes to the item at `index`; from stopped it becomes paused there.
  mutating func jump(to index: Int, offset: RationalTime? = nil) {
    begin(
      Occurrence(id: tree[index].id, pass: current?.pass ?? 0), at: offset.map { max(.zero, $0) })
  }

  mutating func skip() {
    guard let current, let index = tree.index(of: current.id) else { return }
    if let next = order.next(after: index, pass: current.pass) {
      begin(next)
    } else {
      endBehindAll()
    }
  }

  /// Back to the start of the item, or, within its first 3 seconds, to the item before; backwards,
  /// where the start would be left at once, to the item before.
  mutating func goBack(hearing: HeardPosition?) {
    guard let current, let index = tree.index(of: current.id) else { return }
    if !isReversed, position(hearing) > Self.restartWithin {
      begin(current)
    } else if index > 0 || repeatMode != .all {
      jump(to: max(0, index - 1))
    } else {
      jump(to: tree.count - 1)
    }
  }

  /// - Returns: whether there is something to seek in.
  @discardableResult
  mutating func seek(to offset: RationalTime) -> Bool {
    guard let current else { return false }
    begin(current, at: min(max(.zero, offset), PlayedRange.end))
    return true
  }

  @discardableResult
  mutating func seek(by distance: RationalTime, hearing: HeardPosition?) -> Bool {
    seek(to: min(position(hearing) + distance, PlayedRange.end))
  }

  /// Returns the place in the current item: where it was asked to begin, until that is heard.
  func position(_ hearing: HeardPosition?) -> RationalTime {
    guard let hearing, hearing.generation == generation, hearing.occurrence == current else {
      return start.offset
    }
    return hearing.offset
  }

  /// Begins at `index` of another list; behind its last item it stops.
  mutating func restart(with new: PlaylistTree, at index: Int, offset: RationalTime) {
    take(new)
    if index < tree.count { jump(to: index, offset: offset) } else { stop() }
  }

  /// Goes on with another list from `index` on: the current item if it is there, or just behind.
  mutating func proceed(with new: PlaylistTree, at index: Int) {
    take(new)
    switch cursor {
    case .stopped: break
    case .ended:
      cursor = .ended(gap: index)
      goOnIfArmed()
    case .at(let occurrence):
      let near = index..<min(index + 2, tree.count)
      if near.contains(where: { tree[$0].id == occurrence.id }) { break }
      if index < tree.count { jump(to: index) } else { end(before: index) }
    }
  }

  mutating func setRepeatMode(_ mode: RepeatMode) { repeatMode = mode }

  /// Loops in the current item; what is behind B already goes to A at once, or from before A to B
  /// backwards.
  mutating func setLoop(from: RationalTime, to: RationalTime, hearing: HeardPosition?) {
    guard let current else { return }
    loop = ItemLoop(id: current.id, from: from, to: to)
    if isReversed {
      if position(hearing) <= from { begin(current, at: to) }
    } else if position(hearing) >= to {
      begin(current, at: from)
    }
  }

  mutating func endLoop() { loop = nil }

  mutating func setStopsAfterCurrent(_ stops: Bool) { stopsAfterCurrent = stops && current != nil }
}
