// SPDX-License-Identifier: Apache-2.0

/// The renderer's line, as the serializer found it when it looked.
struct LineReading: Hashable {
  /// Whether media time goes backwards, or is to.
  var isReversed = false
  /// Whether a flush has discarded what the content that plays continues.
  var isDiscarded = false
  /// Whether what there is was made for another pace.
  var isStale = false
}
