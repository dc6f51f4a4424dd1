// SPDX-License-Identifier: Apache-2.0

extension SampleBufferPlayer {
  /// The overlap of an item with the one that follows it; nil for not at all, the default.
  ///
  /// Of two items that overlap, the one that begins becomes current in the middle of the overlap. The overlap is as long as `duration`, in
  /// media time, but not longer than what is left of the one that ends, behind an overlap that it began with, nor
  /// than the one that begins, or half of that where another one follows it. Where a length is not known, or what
  /// follows cannot be opened in time, they follow each other without a gap, as do an item and itself, and tracks of
  /// an album in its order (`ItemCrossfade.includesAlbums`).
  ///
  /// A skip or a seek begins an item without the one before it, also within an overlap. A change applies to all that
  /// is not heard yet, and takes away an overlap that has not come to its middle; behind that it ends as it was. The
  /// corresponding property of MusicKit is
  /// `MusicPlayer.transition`.
  public var crossfade: ItemCrossfade? {
    get { serializer.crossfade }
    set { serializer.crossfade = newValue }
  }
}
