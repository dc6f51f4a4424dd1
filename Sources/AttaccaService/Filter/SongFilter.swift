// SPDX-License-Identifier: Apache-2.0

/// Filter of songs: what `find` and its relatives look for.
indirect enum SongFilter: Hashable {
  /// All songs.
  case everything
  case text(FilteredField, TextTest, String, foldsCase: Bool)
  case pattern(FilteredField, CompiledPattern)
  /// Songs of a folder and those below it.
  case base(String)
  /// Songs of files that were changed at a moment or later, in seconds since 1970.
  case modifiedSince(Int64)
  /// Songs of a format; nil stands for any number.
  case format(AudioFormatMask)
  /// Songs of the queue with a priority, or a higher one.
  case priority(Int)
  case not(SongFilter)
  case all([SongFilter])

  /// Tells whether a song, of a priority in the queue, is one of those.
  func matches(_ song: Song, priority: Int = 0) -> Bool {
    switch self {
    case .everything: true
    case .text(let field, let test, let value, let foldsCase):
      Self.matches(song, field, test, foldsCase ? FoldedText.folded(value) : value, foldsCase)
    case .pattern(let field, let pattern):
      Self.texts(of: song, field).contains { pattern.matches($0) }
    case .base(let folder): Self.isBelow(folder, song.uri)
    case .modifiedSince(let moment): song.modified.map { $0 >= moment } ?? false
    case .format(let mask): song.format.map { mask.matches($0) } ?? false
    case .priority(let least): priority >= least
    case .not(let filter): !filter.matches(song, priority: priority)
    case .all(let filters): filters.allSatisfy { $0.matches(song, priority: priority) }
    }
  }

  static func isBelow(_ folder: String, _ uri: String) -> Bool {
    if folder.isEmpty { return true }
    guard uri.utf8.starts(with: folder.utf8) else { return false }
    let rest = uri.utf8.dropFirst(folder.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  private static func texts(of song: Song, _ field: FilteredField) -> [String] {
    switch field {
    case .tag(let tag): song.values(of: tag)
    case .any: song.values.map(\.text)
    case .file: [song.uri]
    }
  }

  private static func matches(
    _ song: Song, _ field: FilteredField, _ test: TextTest, _ value: String, _ foldsCase: Bool
  ) -> Bool {
    let texts = texts(of: song, field)
    // An empty value means songs without the tag.
    if value.isEmpty, test == .equals { return texts.isEmpty || texts.contains("") }
    return texts.contains { text in
      let text = foldsCase ? FoldedText.folded(text) : text
      return switch test {
      case .equals: FoldedText.areEqual(text, value)
      case .contains: FoldedText.contains(text, value)
      case .startsWith: FoldedText.startsWith(text, value)
      case .matches: false
      }
    }
  }
}
