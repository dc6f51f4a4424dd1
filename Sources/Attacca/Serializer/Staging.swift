// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers

/// New content on its way to take the place of what plays: decoded until there is enough of it,
/// converted, and spliced in.
struct Staging {
  var feed: Feed
  /// Where on the timeline it takes over; nil for as soon as possible.
  let from: RationalTime?
  let fade: Fade
  /// It begins in the middle of an item.
  let isMiddle: Bool
  /// How far into its first item it was asked to begin.
  let offset: RationalTime
  /// The item it was asked to begin with.
  let first: PlaylistItem.ID
  /// Items of the present timeline that stay in front of it.
  let kept: [ItemSpan]
  /// Pieces of the feed that have been converted for the splice.
  var spliced: [Feed.Piece] = []
  /// Everything that it will ever hold has been converted for the splice.
  var isComplete = false
}
