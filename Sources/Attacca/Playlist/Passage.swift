// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// What is played of an item when it occurs.
struct Passage: Hashable, Sendable {
  let occurrence: Occurrence
  /// Offset of the first frame.
  var from = RationalTime.zero
  /// Offset of the frame behind the last one; nil for the item's end.
  var to: RationalTime?
  /// It goes round in a loop: no other playing of the item, for whoever listens.
  var isLooping = false
}
