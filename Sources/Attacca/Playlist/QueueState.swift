// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering

/// The list that is to be played, and the place in it: a pure state machine.
///
/// Every operation of a playlist and of its player is one transition. It knows no thread, no clock
/// and no file; `SharedQueue` guards it, and a serializer follows it. Copying it is O(1).
struct QueueState: Sendable {
  /// The place in the list at which playing is.
  enum Cursor: Hashable, Sendable {
    /// Nowhere: nothing has been played, or it was stopped.
    case stopped
    /// At an item, playing or paused.
    case at(Occurrence)
    /// Behind the last item; `gap` is the index of what would be next, or of what is behind that
    /// backwards.
    case ended(gap: Int)
  }

  /// A removal that began the next item, and might turn out to have come after its end.
  struct Removal: Sendable {
    let occurrence: Occurrence
    let generation: Int
  }

  var list = List()
  /// Number of operations so far.
  var serialNumber = 0
  var cursor = Cursor.stopped {
    didSet { gains.follow(current) }
  }
  var start = Start()
  var transport = Transport()
  var repeatMode = RepeatMode.off
  var loop: ItemLoop?
  /// The wish that playing ends behind the current item.
  var stopsAfterCurrent = false
  /// True where playing pauses once the device that it is heard on has gone away.
  var pausesWhenUnplugged = false
  /// The sleep timer that is set; nil for none.
  var sleep: Sleep?
  /// Overlap of items; nil for none.
  var crossfade: ItemCrossfade?
  /// Shortening of silences; nil for none.
  var silenceSkipping: SilenceSkipping?
  /// Gains by the loudness of items.
  var normalization = LoudnessNormalization()
  /// Loudness of the items that have been opened so far, by their tags.
  let loudness = KnownLoudness()
  /// Silence between items that have none of their own.
  var gap = RationalTime.zero
  private var gains = PlayingGains()

  /// The list.
  var items: PlaylistItems { list.items }

  /// The number of the newest start.
  var generation: Int { start.generation }

  var tree: PlaylistTree {
    get { list.items.tree }
    set { list.items = PlaylistItems(newValue) }
  }

  var current: Occurrence? {
    if case .at(let occurrence) = cursor { occurrence } else { nil }
  }

  /// Playing goes backwards, or will.
  var isReversed: Bool { transport.rate < 0 }

  private var edge: RationalTime { PlayedRange.edge(isReversed: isReversed) }

  var order: PlayOrder {
    PlayOrder(
      items: items, repeatMode: repeatMode, loop: loop, lastStretch: sleepingStretch,
      last: stopsAfterCurrent || sleepsBehindCurrent ? current : nil,
      isReversed: isReversed, crossfade: crossfade, silenceSkipping: silenceSkipping,
      normalization: normalization,
      loudness: loudness, gap: gap, ownGain: gains.own, leavingGain: gains.leaving)
  }

  /// Returns what has been done to the list since this was asked last; nil for nothing.
  mutating func takeDifference() -> PlaylistDifference? {
    list.takeSteps().map {
      PlaylistDifference(serialNumber: serialNumber, steps: $0, items: items)
    }
  }

  // MARK: Starts

  /// Begins at an offset; nil for where the whole of it is begun.
  mutating func begin(_ occurrence: Occurrence, at offset: RationalTime? = nil) {
    start.begin(at: offset ?? edge)
    cursor = .at(occurrence)
  }

  /// Nothing is current; `gap` would be next.
  mutating func end(before gap: Int) {
    start.end()
    cursor = .ended(gap: gap)
    goOnIfArmed()
  }

  mutating func endBehindAll() { end(before: isReversed ? 0 : tree.count) }

  /// Behind the end and still to play, it goes on as soon as something is there.
  mutating func goOnIfArmed() {
    guard transport.isPlaying, case .ended(let gap) = cursor else { return }
    let next = isReversed ? gap - 1 : gap
    if next >= 0, next < tree.count { begin(Occurrence(id: tree[next].id, pass: 0)) }
  }

  // MARK: Gains

  /// The gain in decibels at which one playing of an item is heard; nil where that is not here.
  func gain(of occurrence: Occurrence) -> Float? {
    gains.gain(of: occurrence)
      ?? tree.index(of: occurrence.id).map { tree[$0].gain }
  }

  /// The present playing of the current item is heard at `gain`.
  mutating func setCurrentGain(_ gain: Float) {
    if let current { gains.set(gain, of: current) }
  }

  /// The volume of one playing of an item as a function of its offset; nil where that is not here.
  func volumeAutomation(of occurrence: Occurrence) -> VolumeAutomation? {
    tree.index(of: occurrence.id).map { tree[$0].volumeAutomation }
  }

  /// The item at `index` is heard at `gain` whenever it is.
  mutating func setGain(_ gain: Float, at index: Int) {
    let item = tree[index].with(gain: gain)
    list.update(item, at: index)
    gains.forget(item.id)
  }

  /// The item at `index` is heard at the volume of `automation` whenever it is.
  mutating func setVolumeAutomation(_ automation: VolumeAutomation, at index: Int) {
    list.update(tree[index].with(volumeAutomation: automation), at: index)
  }

  // MARK: What is heard

  /// Takes note of what is heard: what was to follow may have become current.
  ///
  /// What was heard before what is known to be is of no use: it was asked for earlier, or by the clock
  /// while the next item could not be replaced any more.
  mutating func hear(_ hearing: HeardPosition) {
    if hearing.generation == generation {
      guard start.hear(hearing.place) else { return }
    }
    guard case .at(let occurrence) = cursor, hearing.occurrence != occurrence else { return }
    let isHere = tree.index(of: hearing.occurrence.id) != nil
    if hearing.generation == generation {
      if isHere {
        moveOn(to: hearing.occurrence)
      } else {
        // It has been removed since it was to follow.
        let next = order.following(occurrence)
        goOn(to: next, behind: occurrence)
      }
    } else if let removal = start.removal, removal.generation == hearing.generation,
      start.takenUp < generation,
      removal.occurrence != hearing.occurrence, isHere
    {
      // What was removed had ended by itself: nothing had to be begun.
      start.takeBack(to: removal.generation)
      moveOn(to: hearing.occurrence)
    }
  }

  private mutating func moveOn(to occurrence: Occurrence) {
    let before = gains
    cursor = .at(occurrence)
    start.moveOn(to: edge)
    countSleep()
    if crossfade != nil { gains.overlap(before, into: occurrence) }
  }

  /// The current item went past its end as it is now.
  mutating func overran(generation: Int) {
    guard generation == self.generation, let current else { return }
    goOn(to: order.following(current), behind: current)
  }

  private mutating func goOn(to next: PlayedRange?, behind last: Occurrence) {
    if let next { begin(next.occurrence, at: next.from) } else { end(before: gap(behind: last)) }
  }

  /// The place where playing ends with `last`, by the item behind it in the list.
  private func gap(behind last: Occurrence) -> Int {
    let index = tree.index(of: last.id)
    return isReversed ? index ?? 0 : (index ?? tree.count - 1) + 1
  }

  /// Everything has been heard; `last` was the last item.
  ///
  /// `barren` is the order in which nothing that follows can be played, if there is one, `isReversed` says which way
  /// it was heard.
  ///
  /// - Returns: whether that is the end: something may have been added meanwhile.
  mutating func reachEnd(
    _ last: Occurrence?, generation: Int, barren: PlayOrder?, isReversed: Bool
  ) -> Bool {
    guard generation == self.generation, current != nil else { return false }
    if let last {
      hear(start.end(of: last))
    }
    guard generation == self.generation, let current else { return false }
    guard isReversed == self.isReversed else {
      // It was to turn round before.
      begin(current)
      return false
    }
    let isBarren = barren.map { order.hasRound(of: $0) } ?? false
    if !isBarren, let next = order.following(current) {
      begin(next.occurrence, at: next.from)
      return false
    }
    cursor = .ended(gap: isBarren ? (isReversed ? 0 : tree.count) : gap(behind: current))
    start.forgetRemoval()
    if stopsAfterCurrent {
      stopsAfterCurrent = false
      transport.isPlaying = false
    }
    return true
  }
}
