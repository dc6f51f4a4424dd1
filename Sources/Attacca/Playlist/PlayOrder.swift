// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// What is played after what: the list, and everything that changes its order.
///
/// The one place where repeating, looping and stopping are decided. A value, and O(1) to copy.
struct PlayOrder: Sendable {
  var items: PlaylistItems
  var repeatMode = RepeatMode.off
  var loop: ItemLoop?
  /// Nothing follows this one, should it come to its end.
  var last: Occurrence?

  /// What is played of an item that is begun at `offset`.
  func passage(_ occurrence: Occurrence, from offset: RationalTime) -> Passage {
    let loop = loop(of: occurrence)
    return Passage(occurrence: occurrence, from: offset, to: loop?.to)
  }

  /// What is heard right after `occurrence`; nil at the end, and behind an item that is not here.
  func following(_ occurrence: Occurrence) -> Passage? {
    let again = Occurrence(id: occurrence.id, pass: occurrence.pass + 1)
    if let loop = loop(of: occurrence) {
      return Passage(occurrence: again, from: loop.from, to: loop.to, isLooping: true)
    }
    guard occurrence != last, let index = items.index(of: occurrence.id) else { return nil }
    if repeatMode == .one { return passage(again, from: .zero) }
    return next(after: index, pass: occurrence.pass).map { passage($0, from: .zero) }
  }

  /// What the list has behind `index`, whatever repeats or loops there.
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
