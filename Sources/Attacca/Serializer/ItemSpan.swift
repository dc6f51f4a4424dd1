// SPDX-License-Identifier: Apache-2.0

public import MediaTime
public import SoundFiles

/// An item on the timeline: where it starts, and where it ends once that is known.
public struct ItemSpan: Sendable {
  /// The item.
  public let item: PlaylistItem
  /// What is played of it.
  let passage: Passage
  /// When offset zero of the item is heard: exact, by the *actual* lengths of what comes before.
  public let start: RationalTime
  /// When the first frame played of it is heard.
  let begin: RationalTime
  /// The item's exact length, as its file tells; nil when that is not known before it is decoded.
  public internal(set) var duration: RationalTime?
  /// What its file says of itself.
  public internal(set) var tags: Tags
  /// When its last frame has been heard; nil while it is being decoded.
  var end: RationalTime?
  /// The rate of its frames, for positions within it.
  var sampleRate: Int
}
