// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The order in which items are played: the list, and everything that changes its order.
///
/// The one place where repeating, looping, stopping and going backwards are decided. A value, and O(1) to copy.
struct PlayOrder: Sendable {
  var items: PlaylistItems
  var repeatMode = RepeatMode.off
  var loop: ItemLoop?
  /// The part of an item in whose end everything ends; nil for none.
  var lastStretch: Sleep.Stretch?
  /// Nothing follows this one, should it come to its end.
  var last: Occurrence?
  /// From the last item to the first one, and each from its end to its beginning.
  var isReversed = false
  /// Overlap of items; nil for none.
  var crossfade: ItemCrossfade?
  /// Shortening of silences; nil for none.
  var silenceSkipping: SilenceSkipping?
  /// Gains by the loudness of items.
  var normalization = LoudnessNormalization()
  /// Loudness of the items that have been opened so far, by their tags.
  var loudness = KnownLoudness()
  /// Silence between items that have none of their own.
  var gap = RationalTime.zero
  /// The gain in decibels at which one playing of an item is heard in place of the item's own.
  var ownGain: (occurrence: Occurrence, gain: Float)?
  /// The same of the item before the current one.
  var leavingGain: (occurrence: Occurrence, gain: Float)?

  private var edge: RationalTime { PlayedRange.edge(isReversed: isReversed) }

  /// Returns the range that is played of an item that is begun at `offset`.
  func range(of occurrence: Occurrence, from offset: RationalTime) -> PlayedRange {
    let loop = loop(of: occurrence)
    let last = lastStretch?.occurrence == occurrence ? lastStretch : nil
    return PlayedRange(
      occurrence: occurrence, from: offset,
      to: isReversed
        ? last?.start ?? loop?.from ?? exit(of: occurrence) : last?.end ?? loop?.to,
      isReversed: isReversed)
  }

  /// Returns the range that is heard right after `occurrence`; nil at the end, and behind an item that is not here.
  func following(_ occurrence: Occurrence) -> PlayedRange? {
    if lastStretch?.occurrence == occurrence { return nil }
    if let loop = loop(of: occurrence) {
      var range = range(of: again(occurrence), from: isReversed ? loop.to : loop.from)
      range.isLooping = true
      return range
    }
    return successor(of: occurrence).map { range(of: $0, from: entry(of: $0)) }
  }

  /// The playing of an item behind `occurrence`, as though that did not loop; nil at the end.
  func successor(of occurrence: Occurrence) -> Occurrence? {
    guard occurrence != last, let index = items.index(of: occurrence.id) else { return nil }
    if repeatMode == .one { return again(occurrence) }
    return next(from: isReversed ? index : index + 1, pass: occurrence.pass)
  }

  /// The next playing of the same item.
  private func again(_ occurrence: Occurrence) -> Occurrence {
    // Backwards passes are counted down: where playing turns round, it meets the same ones.
    Occurrence(id: occurrence.id, pass: occurrence.pass + (isReversed ? -1 : 1))
  }

  /// Tells whether `later`, played right behind `earlier` the other way, is the way back to it: what has been
  /// taken out, or loops elsewhere, since then is not.
  func leadsBack(from later: PlayedRange, to earlier: PlayedRange) -> Bool {
    let exit = later.from == PlayedRange.edge(isReversed: later.isReversed) ? nil : later.from
    guard range(of: later.occurrence, from: later.from).to == exit,
      let next = following(later.occurrence)
    else { return false }
    return next.occurrence == earlier.occurrence && next.from == earlier.to ?? edge
  }

  /// Tells whether a round of `other` is one of this order: no item has been edited since, and it repeats as it did.
  ///
  /// O(1): a list that was edited, and edited back, is another one.
  func hasRound(of other: PlayOrder) -> Bool {
    repeatMode == other.repeatMode && items.tree.root === other.items.tree.root
  }

  /// Tells whether what is between two items, one after the other and once, is what `other` has between them.
  ///
  /// Costs O(log n) for each difference between the two lists.
  func leads(from first: Occurrence, to last: Occurrence, as other: PlayOrder) -> Bool {
    guard repeatMode != .one, loop(of: first) == nil, first != self.last,
      let mine = between(first, last), let others = other.between(first, last)
    else { return false }
    return mine.count == others.count
      && zip(mine, others).allSatisfy { items.tree.hasItems($0, of: other.items.tree, $1) }
  }

  /// The indices between two items, in two stretches where the list is begun anew between them.
  private func between(_ first: Occurrence, _ last: Occurrence) -> [Range<Int>]? {
    let (front, back) = isReversed ? (last, first) : (first, last)
    guard let low = items.index(of: front.id), let high = items.index(of: back.id) else {
      return nil
    }
    if first.pass == last.pass { return low < high ? [(low + 1)..<high] : nil }
    guard repeatMode == .all, front.pass + 1 == back.pass else { return nil }
    return [(low + 1)..<items.count, 0..<high]
  }

  /// Returns the occurrence that comes next from the place before `index`, whatever repeats or loops there.
  func next(from index: Int, pass: Int) -> Occurrence? {
    guard isReversed else { return next(after: index - 1, pass: pass) }
    if index > 0 { return Occurrence(id: items[index - 1].id, pass: pass) }
    guard repeatMode == .all, !items.isEmpty else { return nil }
    return Occurrence(id: items[items.count - 1].id, pass: pass - 1)
  }

  /// Returns the occurrence that the list has behind `index`, in either direction of playing.
  func next(after index: Int, pass: Int) -> Occurrence? {
    if index + 1 < items.count { return Occurrence(id: items[index + 1].id, pass: pass) }
    guard repeatMode == .all, !items.isEmpty else { return nil }
    return Occurrence(id: items[0].id, pass: pass + 1)
  }

  private func loop(of occurrence: Occurrence) -> ItemLoop? {
    loop?.id == occurrence.id ? loop : nil
  }

  func item(of occurrence: Occurrence) -> PlaylistItem? {
    items.index(of: occurrence.id).map { items[$0] }
  }
}
