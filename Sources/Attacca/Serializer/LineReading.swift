// SPDX-License-Identifier: Apache-2.0

/// The renderer's line, as the serializer found it when it looked.
struct LineReading: Hashable {
  /// True where media time goes backwards, or is to.
  var isReversed = false
  /// True where a flush has discarded the frames that the playing content continues.
  var isDiscarded = false
  /// True where the line's content was made for another pace.
  var isStale = false
}
