// SPDX-License-Identifier: Apache-2.0

/// Items that a decode step goes on to by itself where one after the other cannot be opened.
///
/// Handing an item to the decoder thread and back takes 20 µs, to find that its file is missing 4 µs.
struct Followers: Sendable {
  /// Steps go on by themselves behind so many items in a row that cannot be played.
  static let threshold = 20
  /// Nanoseconds after which a step goes on to no other item.
  static let duration: UInt64 = 2_000_000

  private let order: PlayOrder
  /// The first item in the row: where it comes again, a whole round cannot be played.
  private let barren: Occurrence
  /// True where nothing is heard before, and no silence is due.
  private let isBare: Bool
  private var index: Int
  private var pass: Int

  /// The items behind `occurrence`; nil where they are not those of the list one by one.
  init?(_ order: PlayOrder, behind occurrence: Occurrence, barren: Occurrence, isBare: Bool) {
    guard order.repeatMode != .one, order.loop == nil,
      let index = order.items.index(of: occurrence.id)
    else { return nil }
    (self.order, self.barren, self.index, pass) = (order, barren, index, occurrence.pass)
    self.isBare = isBare
  }

  /// The next item; nil at the end, and behind a whole round.
  mutating func next() -> (PlaylistItem, PlayedRange)? {
    let (items, step) = (order.items, order.isReversed ? -1 : 1)
    guard order.last == nil || order.last != Occurrence(id: items[index].id, pass: pass) else {
      return nil
    }
    var (place, round) = (index + step, pass)
    if place < 0 || place == items.count {
      guard order.repeatMode == .all else { return nil }
      (place, round) = (step > 0 ? 0 : items.count - 1, pass + step)
    }
    let item = items[place]
    guard item.id != barren.id else { return nil }
    (index, pass) = (place, round)
    let occurrence = Occurrence(id: item.id, pass: round)
    let entry =
      isBare ? PlayedRange.edge(isReversed: order.isReversed) : order.entry(of: occurrence)
    return (item, order.range(of: occurrence, from: entry))
  }
}
