// SPDX-License-Identifier: Apache-2.0

/// The difference that one edit made to a playlist.
public struct PlaylistDifference: Sendable {
  /// A part of it; its indices are those after the parts before it.
  public enum Step: Hashable, Sendable {
    /// Items are at these indices now that were not here before.
    case inserted(Range<Int>)
    /// The items at these indices have gone.
    case removed(Range<Int>)
    /// The item at `from` has been taken out, and is at `to` now.
    case moved(from: Int, to: Int)
    /// The same items are in another order.
    case reordered
  }

  /// The edit's serial number.
  public let serialNumber: Int
  /// Steps of the edit, in order; applied to the items before they give `items`.
  ///
  /// Of several edits as one, what was taken out comes first, from the end on, then what was put in; an
  /// item that was moved is taken out and put in.
  public let steps: [Step]
  /// The items after it.
  public let items: PlaylistItems
}
