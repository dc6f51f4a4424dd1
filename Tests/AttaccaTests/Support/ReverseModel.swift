// SPDX-License-Identifier: Apache-2.0

@testable import Attacca

/// Where playing is, counted by hand: between two frames of an item, going one way or the other.
struct ReverseModel {
  typealias Item = (number: Int, length: Int)

  var items: [Item]
  var index = 0
  var place = 0
  var isReversed = false
  var repeatMode = RepeatMode.off
  /// The item that goes round, and from where to where.
  var loop: (number: Int, from: Int, to: Int)?

  /// The frame that is heard next; nil at the end.
  mutating func next() -> Float? {
    guard let item = settled() else { return nil }
    defer { place += isReversed ? -1 : 1 }
    return RampSource.sample(item.number, isReversed ? place - 1 : place)
  }

  /// Whether nothing is left of an item, or of a time round.
  var isAtJoint: Bool {
    let item = items[index]
    let loop = loop?.number == item.number ? loop : nil
    return isReversed ? place == loop?.from ?? 0 : place == loop?.to ?? item.length
  }

  /// Goes on to the item that has a frame to be heard; nil at the end.
  mutating func settled() -> Item? {
    while true {
      let item = items[index]
      if let loop, loop.number == item.number {
        if isReversed ? place <= loop.from : place >= loop.to {
          place = isReversed ? loop.to : loop.from
        }
        return item
      }
      guard isReversed ? place == 0 : place == item.length else { return item }
      if repeatMode != .one {
        guard let next = following(isReversed ? index : index + 1) else { return nil }
        index = next
      }
      begin()
    }
  }

  /// The current item is gone; what is next takes its place.
  ///
  /// - Returns: false where nothing is.
  mutating func removeCurrent() -> Bool {
    if items[index].number == loop?.number { loop = nil }
    items.remove(at: index)
    guard let next = following(index) else { return false }
    index = next
    begin()
    return true
  }

  private mutating func begin() { place = isReversed ? items[index].length : 0 }

  /// What is next from the gap before `index` on.
  private func following(_ index: Int) -> Int? {
    let next = isReversed ? index - 1 : index
    if items.indices.contains(next) { return next }
    guard repeatMode == .all, !items.isEmpty else { return nil }
    return isReversed ? items.count - 1 : 0
  }
}
