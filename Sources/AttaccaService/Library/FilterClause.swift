// SPDX-License-Identifier: Apache-2.0

/// Condition of SQL for songs of a filter.
struct FilterClause {
  let text: String
  let values: [StoredValue]
  /// True where it finds what the filter does; false where it may find more.
  let isExact: Bool

  private init(_ text: String, _ values: [StoredValue] = [], isExact: Bool = true) {
    (self.text, self.values, self.isExact) = (text, values, isExact)
  }

  private static let unknown = FilterClause("1", isExact: false)

  init(_ filter: SongFilter) {
    switch filter {
    case .everything: self.init("1")
    case .text(let field, let test, let value, let folds):
      self = Self.text(field, test, folds ? FoldedText.folded(value) : value, folds)
    case .pattern: self = .unknown
    case .base(let folder):
      // "0" is what comes behind "/".
      self =
        folder.isEmpty
        ? FilterClause("1")
        : FilterClause(
          "(song.uri = ? OR song.uri > ? AND song.uri < ?)",
          [.text(folder), .text(folder + "/"), .text(folder + "0")])
    case .modifiedSince(let moment):
      self.init("song.modified >= ?", [.integer(moment)])
    case .format: self = .unknown
    case .priority(let least): self.init(least > 0 ? "0" : "1")
    case .not(let filter):
      let inner = FilterClause(filter)
      self = inner.isExact ? FilterClause("NOT (\(inner.text))", inner.values) : .unknown
    case .all(let filters):
      let inner = filters.map { FilterClause($0) }
      self.init(
        inner.map { "(\($0.text))" }.joined(separator: " AND "), inner.flatMap(\.values),
        isExact: inner.allSatisfy(\.isExact))
    }
  }

  private static func text(
    _ field: FilteredField, _ test: TextTest, _ value: String, _ folds: Bool
  ) -> FilterClause {
    let tags: String
    switch field {
    case .file: return uri(test, value, folds)
    // Each tag is looked up: the index begins with them.
    case .any:
      tags = "tag.tag IN (\(SongTag.allCases.map { "\($0.number)" }.joined(separator: ",")))"
    case .tag(let tag): tags = "tag.tag = \(tag.number)"
    }
    if value.isEmpty, test == .equals {
      return FilterClause("NOT EXISTS (SELECT 1 FROM tag WHERE tag.song = song.id AND \(tags))")
    }
    let column = folds ? "folded" : "text"
    let (condition, values) = condition(column, test, value)
    return FilterClause(
      """
      song.id IN (SELECT tag.song FROM value CROSS JOIN tag ON tag.value = value.id AND \(tags)
      WHERE \(condition))
      """, values)
  }

  /// The condition of a row of values.
  private static func condition(
    _ column: String, _ test: TextTest, _ value: String
  ) -> (String, [StoredValue]) {
    switch test {
    case .equals, .matches: return ("value.\(column) = ?", [.text(value)])
    case .startsWith: return ("instr(value.\(column), ?) = 1", [.text(value)])
    case .contains:
      let part = FoldedText.folded(value)
      // Three characters are the shortest that the index of texts has.
      guard part.unicodeScalars.count >= 3 else {
        return ("instr(value.\(column), ?) > 0", [.text(value)])
      }
      let phrase =
        "\""
        + part.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
      return (
        """
        value.id IN (SELECT rowid FROM value_text WHERE value_text MATCH ?)
        AND instr(value.\(column), ?) > 0
        """, [.text(phrase), .text(value)]
      )
    }
  }

  private static func uri(_ test: TextTest, _ value: String, _ folds: Bool) -> FilterClause {
    // SQLite's `lower` knows ASCII only.
    guard !folds || value.utf8.allSatisfy({ $0 < 0x80 }) else { return .unknown }
    let column = folds ? "lower(song.uri)" : "song.uri"
    return switch test {
    case .equals, .matches: FilterClause("\(column) = ?", [.text(value)])
    case .startsWith: FilterClause("instr(\(column), ?) = 1", [.text(value)])
    case .contains: FilterClause("instr(\(column), ?) > 0", [.text(value)])
    }
  }
}
