// SPDX-License-Identifier: Apache-2.0

public import MediaTime

extension SampleBufferPlayer {
  /// Silence between an item and the one that follows it; zero, the default, for none.
  ///
  /// The silence lasts the nearest whole number of frames of the item behind it. An item's own `PlaylistItem.gap` counts
  /// more. Silence is heard where playing goes on from one item to another, or to the same one that repeats; neither before the first
  /// item, behind the last one, round a `loop`, nor where a skip or a seek begins an item. Items overlap
  /// (`crossfade`) where none lies between them.
  ///
  /// The silence is part of no item's time, but belongs to the item behind it, as on a CD: that becomes current with
  /// the first silent frame, when the one in front has finished, and `currentTime` counts from minus `gap` up to
  /// zero. Skips and edits of the list mean that item: `next()` goes to the one behind it, `previous()` to the one in
  /// front, `seek(to: .zero)` ends the silence; removed, the one behind it begins at once. Backwards the same item counts on below zero,
  /// and stays current until the one in front of it is heard.
  ///
  /// A change applies to all silence that has not begun.
  ///
  /// - Precondition: it is numeric and not negative.
  public var gap: MediaTime {
    get { serializer.gap }
    set { serializer.gap = newValue }
  }
}
