// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// What has been looked for ahead of what is decoded.
struct LookAhead {
  /// The item whose followers are open, or being opened; nil for none.
  var occurrence: Occurrence?
  /// Number of overlaps that what plays had decided on when it was looked last.
  private var overlapCount = 0
  /// The search for the length of what is being decoded, and its file.
  var lengthSearch: (search: LengthSearch, path: BytePath)?

  /// What follows was open, and is being read: its own turn wants another one.
  mutating func follow(_ overlaps: DecodeAhead.Overlaps) {
    guard overlaps.count != overlapCount else { return }
    overlapCount = overlaps.count
    occurrence = nil
  }
}
