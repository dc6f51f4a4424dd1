// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// The files opened and searched ahead of the item that is being decoded.
struct LookAhead {
  /// The item whose followers are open, or being opened; nil for none.
  var occurrence: Occurrence?
  /// True where the loudness of items was that of their albums by their order when that was looked last.
  var isByAlbumOrder = false
  /// Number of overlaps that what plays had decided on when it was looked last.
  private var overlapCount = 0
  /// The search for the length of what is being decoded, and its file.
  var lengthSearch: (search: LengthSearch, path: BytePath)?

  /// Has followers looked for again once the playing content has decided on another overlap: the follower that
  /// was open is read in it, and the one behind that is to be opened.
  mutating func follow(_ overlaps: DecodeAhead.Overlaps) {
    guard overlaps.count != overlapCount else { return }
    overlapCount = overlaps.count
    occurrence = nil
  }
}
