// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The part of an item that is played when it occurs.
///
/// Offsets are places between frames, counted from the item's beginning in either direction. Those below zero lie in
/// the silence in front of it.
struct PlayedRange: Hashable, Sendable {
  /// Behind the end of any item there could be: who begins there begins at the item's end.
  static let end = RationalTime(frames: 1 << 32, rate: 1)

  /// Returns the place where an item is begun that is played as a whole.
  static func edge(isReversed: Bool) -> RationalTime { isReversed ? end : .zero }

  let occurrence: Occurrence
  /// Offset at which it is begun.
  var from = RationalTime.zero
  /// Offset at which it is left; nil for the item's end, or its beginning if reversed.
  var to: RationalTime?
  /// It goes round in a loop: no other playing of the item, for whoever listens.
  var isLooping = false
  /// It is played backwards.
  var isReversed = false
  /// The overlap with the item before, in whose middle it is begun; nil where it does not overlap that.
  var entry: Overlap?

  /// True where it is begun where the item is, in its direction, or in the silence in front of that.
  var isFromEdge: Bool { isReversed ? from == Self.end : from <= .zero }

  /// Length of the silence that is played with the item, in front of its beginning.
  var gap: RationalTime { max(.zero, .zero - (isReversed ? to ?? .zero : from)) }

  /// The same without the silence in front of it, where it `isBare`.
  func entered(isBare: Bool) -> PlayedRange {
    guard isBare, !isReversed, isFromEdge else { return self }
    var range = self
    range.from = .zero
    return range
  }

  /// Returns how far into the playing of the whole item `offset` is, in its direction; `duration` is the
  /// item's, which is known of what is reversed.
  func progress(at offset: RationalTime, of duration: RationalTime?) -> RationalTime {
    guard isReversed, let duration else { return offset }
    return max(.zero, duration - offset)
  }
}
