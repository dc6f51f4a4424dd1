// SPDX-License-Identifier: Apache-2.0

/// Condition of SQL for songs of a filter.
struct FilterClause {
  let text: String
  let values: [StoredValue]
  /// True where it finds what the filter does; false where it may find more.
  let isExact: Bool
  /// True where all texts are looked at, one after the other.
  let isSlow: Bool

  private init(
    _ text: String, _ values: [StoredValue] = [], isExact: Bool = true, isSlow: Bool = false
  ) {
    (self.text, self.values, self.isExact, self.isSlow) = (text, values, isExact, isSlow)
  }

  private static let unknown = FilterClause("1", isExact: false, isSlow: true)

  /// The condition for `rows`; for kinds where the filter `isOfKinds`.
  init(_ filter: SongFilter, of rows: LibraryRows = .song) {
    switch filter {
    case .everything: self.init("1")
    case .text(let field, let test, let value, let folds):
      self = Self.text(field, test, folds ? FoldedText.folded(value) : value, folds, rows)
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
      let inner = FilterClause(filter, of: rows)
      self =
        inner.isExact
        ? FilterClause("NOT (\(inner.text))", inner.values, isSlow: inner.isSlow) : .unknown
    case .all(let filters):
      let inner = filters.map { FilterClause($0, of: rows) }
      self.init(
        inner.map { "(\($0.text))" }.joined(separator: " AND "), inner.flatMap(\.values),
        isExact: inner.allSatisfy(\.isExact), isSlow: inner.contains(where: \.isSlow))
    }
  }

  private static func text(
    _ field: FilteredField, _ test: TextTest, _ value: String, _ folds: Bool, _ rows: LibraryRows
  ) -> FilterClause {
    let (row, table) = (rows.rawValue, rows.tags)
    let tags: String
    switch field {
    case .file: return uri(test, value, folds)
    // Each tag is looked up: the index begins with them.
    case .any:
      tags = "\(table).tag IN (\(SongTag.allCases.map { "\($0.number)" }.joined(separator: ",")))"
    case .tag(let tag): tags = "\(table).tag = \(tag.number)"
    }
    if value.isEmpty, test == .equals {
      return FilterClause(
        "NOT EXISTS (SELECT 1 FROM \(table) WHERE \(table).\(row) = \(row).id AND \(tags))")
    }
    let column = folds ? "folded" : "text"
    let condition = condition(column, test, value)
    return FilterClause(
      """
      \(row).id IN (SELECT \(table).\(row) FROM value
      CROSS JOIN \(table) ON \(table).value = value.id AND \(tags) WHERE \(condition.text))
      """, condition.values, isSlow: condition.isSlow)
  }

  /// The condition of a row of values.
  private static func condition(
    _ column: String, _ test: TextTest, _ value: String
  ) -> FilterClause {
    switch test {
    case .equals, .matches: return FilterClause("value.\(column) = ?", [.text(value)])
    case .startsWith:
      return FilterClause("instr(value.\(column), ?) = 1", [.text(value)], isSlow: true)
    case .contains:
      let part = FoldedText.folded(value)
      // Three characters are the shortest that the index of texts has.
      guard part.unicodeScalars.count >= 3 else {
        return FilterClause("instr(value.\(column), ?) > 0", [.text(value)], isSlow: true)
      }
      let phrase =
        "\""
        + part.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
      return FilterClause(
        """
        value.id IN (SELECT rowid FROM value_text WHERE value_text MATCH ?)
        AND instr(value.\(column), ?) > 0
        """, [.text(phrase), .text(value)])
    }
  }

  private static func uri(_ test: TextTest, _ value: String, _ folds: Bool) -> FilterClause {
    // SQLite's `lower` knows ASCII only.
    guard !folds || value.utf8.allSatisfy({ $0 < 0x80 }) else { return .unknown }
    let column = folds ? "lower(song.uri)" : "song.uri"
    return switch test {
    case .equals, .matches: FilterClause("\(column) = ?", [.text(value)])
    case .startsWith: FilterClause("instr(\(column), ?) = 1", [.text(value)], isSlow: true)
    case .contains: FilterClause("instr(\(column), ?) > 0", [.text(value)], isSlow: true)
    }
  }
}
