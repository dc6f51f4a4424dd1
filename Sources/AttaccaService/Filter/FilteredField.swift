// SPDX-License-Identifier: Apache-2.0

/// Value of a song that a filter looks at as text.
enum FilteredField: Hashable, Sendable {
  case tag(SongTag)
  /// Any tag.
  case any
  /// The song's URI.
  case file
}
