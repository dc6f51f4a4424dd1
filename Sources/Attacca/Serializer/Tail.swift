// SPDX-License-Identifier: Apache-2.0

/// The end of an item: with the overlap that was asked for, or without.
struct Tail: Sendable {
  /// Transition that was asked for when that was decided.
  let transition: Transition?
  /// nil where its last frame comes before the next item's first one.
  var overlap: Overlap?
}
