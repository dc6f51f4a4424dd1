// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Lines about items that cannot be played: one for each of the first twenty in a row, and one for the
/// rest of the row.
struct FailureLines {
  /// So many in a row have a line of their own.
  static let most = 20

  private var shown = 0
  /// Items that no line was about.
  private var rest = 0

  /// The lines to be shown at once, of `texts` about `count` items.
  mutating func add(_ texts: [String], count: Int) -> [String] {
    let lines = texts.prefix(Self.most - shown)
    shown += lines.count
    rest += count - lines.count
    return Array(lines)
  }

  /// The line about the rest of the row, if there is one; another row begins.
  mutating func end() -> String? {
    defer { (shown, rest) = (0, 0) }
    return rest == 0 ? nil : "\(rest) more in a row cannot be played"
  }
}

extension [ItemFailure] {
  /// Number of items that cannot be played.
  var itemCount: Int { reduce(0) { $0 + 1 + $1.furtherCount } }
}
