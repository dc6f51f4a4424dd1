// SPDX-License-Identifier: Apache-2.0

/// Rows of the index in which is looked for songs.
enum LibraryRows: String {
  /// A row for each song.
  case song
  /// A row for each kind of song: songs that have all tags in common but for those of `SongTag.ofSongs`, as most of an
  /// album's have. There are a tenth as many.
  case kind

  /// The table that says which of the rows has which value of a tag.
  var tags: String {
    switch self {
    case .song: "tag"
    case .kind: "kind_tag"
    }
  }

  /// How many songs the rows are, in SQL.
  var count: String {
    switch self {
    case .song: "count(*)"
    case .kind: "sum(kind.songs)"
    }
  }
}

extension SongTag {
  /// Tags of which each song of an album has a value of its own.
  static let ofSongs: Set<SongTag> = [
    .title, .track, .name, .movement, .movementNumber, .comment, .musicBrainzTrack,
    .musicBrainzReleaseTrack, .musicBrainzWork,
  ]
}

extension SongFilter {
  /// True where either all songs of a kind are found, or none.
  var isOfKinds: Bool {
    switch self {
    case .everything: true
    case .text(.tag(let tag), _, _, _): !SongTag.ofSongs.contains(tag)
    case .not(let filter): filter.isOfKinds
    case .all(let filters): filters.allSatisfy(\.isOfKinds)
    case .text, .pattern, .base, .modifiedSince, .format, .priority: false
    }
  }
}
