// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// What is to be played, and where in it playing is: a pure state machine.
///
/// Every operation of a playlist and of its player is one transition. It knows no thread, no clock
/// and no file; `SharedQueue` guards it, and a serializer follows it. Copying it is O(1).
struct QueueState: Sendable {
  /// Where playing is.
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

  /// The list: whoever lets go of an old state last, on whichever thread, does not free it there.
  var items = PlaylistItems(PlaylistTree())
  /// The order before it was shuffled.
  var original: PlaylistItems?
  /// Counts operations.
  var serialNumber = 0
  /// Counts changes of the list.
  var listVersion = 0
  var cursor = Cursor.stopped {
    didSet {
      leavingGain = nil
      if let ownGain, ownGain.occurrence != current { self.ownGain = nil }
    }
  }
  /// Counts starts: seeks, skips, jumps, stops, and what makes the current item another at once.
  var generation = 0
  /// The place of the last item that was heard, or is certain to be.
  private var heardPlace = 0
  /// The newest start that a serializer has taken up.
  var takenUp = 0
  /// Where in the item the newest start begins.
  var offset = RationalTime.zero
  var removal: Removal?
  var repeatMode = RepeatMode.off
  var loop: ItemLoop?
  var stopsAfterCurrent = false
  /// How items overlap; nil for not at all.
  var crossfade: ItemCrossfade?
  /// The gain in decibels at which one playing of an item is heard in place of the item's own.
  private(set) var ownGain: (occurrence: Occurrence, gain: Float)?
  /// The same of the item before the current one, whose end may overlap with that.
  private var leavingGain: (occurrence: Occurrence, gain: Float)?
  /// Whether it is to play, now or as soon as there is something.
  var isPlaying = false
  /// How fast it is to play; negative backwards.
  var rate = 1.0
  /// How fast `play()` has it play.
  var defaultRate = 1.0
  /// Counts wishes to play or to pause.
  var wish = 0

  /// What has been done to the list since it was last told.
  var steps: [PlaylistDifference.Step] = []

  var tree: PlaylistTree {
    get { items.tree }
    set { items = PlaylistItems(newValue) }
  }

  var current: Occurrence? {
    if case .at(let occurrence) = cursor { occurrence } else { nil }
  }

  /// Playing goes backwards, or will.
  var isReversed: Bool { rate < 0 }

  private var edge: RationalTime { PlayedRange.edge(isReversed: isReversed) }

  var order: PlayOrder {
    PlayOrder(
      items: items, repeatMode: repeatMode, loop: loop, last: stopsAfterCurrent ? current : nil,
      isReversed: isReversed, crossfade: crossfade, ownGain: ownGain,
      leavingGain: leavingGain)
  }

  /// What has been done to the list since this was asked last; nil for nothing.
  mutating func takeDifference() -> PlaylistDifference? {
    guard !steps.isEmpty else { return nil }
    defer { steps = [] }
    return PlaylistDifference(serialNumber: serialNumber, steps: steps, items: items)
  }

  // MARK: Starts

  /// Begins at an offset; nil for where the whole of it is begun.
  mutating func begin(_ occurrence: Occurrence, at offset: RationalTime? = nil) {
    generation += 1
    cursor = .at(occurrence)
    self.offset = offset ?? edge
    removal = nil
  }

  /// Nothing is current; `gap` would be next.
  mutating func end(before gap: Int) {
    generation += 1
    cursor = .ended(gap: gap)
    removal = nil
    goOnIfArmed()
  }

  mutating func endBehindAll() { end(before: isReversed ? 0 : tree.count) }

  /// Behind the end and still to play, it goes on as soon as something is there.
  mutating func goOnIfArmed() {
    guard isPlaying, case .ended(let gap) = cursor else { return }
    let next = isReversed ? gap - 1 : gap
    if next >= 0, next < tree.count { begin(Occurrence(id: tree[next].id, pass: 0)) }
  }

  // MARK: Gains

  /// The gain in decibels at which one playing of an item is heard; nil where that is not here.
  func gain(of occurrence: Occurrence) -> Float? {
    if let ownGain, ownGain.occurrence == occurrence { return ownGain.gain }
    if let leavingGain, leavingGain.occurrence == occurrence { return leavingGain.gain }
    return tree.index(of: occurrence.id).map { tree[$0].gain }
  }

  /// The present playing of the current item is heard at `gain`.
  mutating func setCurrentGain(_ gain: Float) {
    if let current { ownGain = (current, gain) }
  }

  /// The volume of one playing of an item as a function of its offset; nil where that is not here.
  func volumeAutomation(of occurrence: Occurrence) -> VolumeAutomation? {
    tree.index(of: occurrence.id).map { tree[$0].volumeAutomation }
  }

  /// The item at `index` is heard at `gain` whenever it is.
  mutating func setGain(_ gain: Float, at index: Int) {
    let item = tree[index].with(gain: gain)
    update(item, at: index)
    if ownGain?.occurrence.id == item.id { ownGain = nil }
    if leavingGain?.occurrence.id == item.id { leavingGain = nil }
  }

  /// The item at `index` is heard at the volume of `automation` whenever it is.
  mutating func setVolumeAutomation(_ automation: VolumeAutomation, at index: Int) {
    update(tree[index].with(volumeAutomation: automation), at: index)
  }

  private mutating func update(_ item: PlaylistItem, at index: Int) {
    tree.update(item, at: index)
    if var old = original?.tree, let index = old.index(of: item.id) {
      old.update(item, at: index)
      original = PlaylistItems(old)
    }
    listVersion += 1
  }

  // MARK: What is heard

  /// Takes note of what is heard: what was to follow may have become current.
  ///
  /// What was heard before what is known to be is of no use: it was asked for earlier, or by the clock
  /// while the next item could not be replaced any more.
  mutating func hear(_ hearing: HeardPosition) {
    if hearing.generation == generation {
      guard hearing.place >= heardPlace else { return }
      heardPlace = hearing.place
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
    } else if let removal, removal.generation == hearing.generation, takenUp < generation,
      removal.occurrence != hearing.occurrence, isHere
    {
      // What was removed had ended by itself: nothing had to be begun.
      generation = removal.generation
      moveOn(to: hearing.occurrence)
    }
  }

  private mutating func moveOn(to occurrence: Occurrence) {
    let (own, leaving) = (ownGain, leavingGain)
    cursor = .at(occurrence)
    offset = edge
    removal = nil
    guard crossfade != nil else { return }
    leavingGain = own
    // It has turned round, and goes back into the one before.
    if let leaving, leaving.occurrence == occurrence { ownGain = leaving }
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
  /// `isBarren` says that nothing that follows can be played, `isReversed` which way it was heard.
  ///
  /// - Returns: whether that is the end: something may have been added meanwhile.
  mutating func reachEnd(
    _ last: Occurrence?, generation: Int, isBarren: Bool, isReversed: Bool
  ) -> Bool {
    guard generation == self.generation, current != nil else { return false }
    if let last {
      hear(
        HeardPosition(occurrence: last, offset: .zero, generation: generation, place: heardPlace))
    }
    guard generation == self.generation, let current else { return false }
    guard isReversed == self.isReversed else {
      // It was to turn round before.
      begin(current)
      return false
    }
    if !isBarren, let next = order.following(current) {
      begin(next.occurrence, at: next.from)
      return false
    }
    cursor = .ended(gap: isBarren ? (isReversed ? 0 : tree.count) : gap(behind: current))
    removal = nil
    if stopsAfterCurrent {
      stopsAfterCurrent = false
      isPlaying = false
    }
    return true
  }
}
