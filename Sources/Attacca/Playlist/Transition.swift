// SPDX-License-Identifier: Apache-2.0

/// The joint of two items that an order has overlap, as far as their files let them.
struct Transition: Hashable, Sendable {
  /// One of the two, as it is played there.
  struct Side: Hashable, Sendable {
    let occurrence: Occurrence
    let item: PlaylistItem
    let volume: ItemVolume
  }

  /// The item that ends.
  let leaving: Side
  /// The item that follows it.
  let entering: Side
  let crossfade: ItemCrossfade
  /// True where what follows is to overlap with another item at its other end.
  let isFollowed: Bool
  /// Both are played backwards.
  let isReversed: Bool

  /// Tells whether it is `other` the other way round.
  func leads(backOver other: Transition) -> Bool {
    leaving.occurrence == other.entering.occurrence
      && entering.occurrence == other.leaving.occurrence && crossfade == other.crossfade
      && isReversed != other.isReversed
  }

  /// Tells whether it is the same overlap of the same items, however loud.
  static func isSame(_ a: Transition?, _ b: Transition?) -> Bool {
    guard let a, let b else { return a == nil && b == nil }
    return a.leaving.occurrence == b.leaving.occurrence
      && a.entering.occurrence == b.entering.occurrence && a.crossfade == b.crossfade
      && a.isReversed == b.isReversed
  }
}
