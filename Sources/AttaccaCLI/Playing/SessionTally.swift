// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Counts of what a session has played, and what it tells of what it cannot.
struct SessionTally {
  /// Items that have begun.
  private(set) var played = 0
  /// Items that cannot be played.
  private(set) var failed: Int
  /// Times that the device ran out of frames.
  private(set) var underruns = 0
  /// Place where the first item was to begin; nil for its start.
  var start: StartPlace?
  private var lines = FailureLines()

  /// Counts of nothing, but for files that are known not to play.
  init(failed: Int) { self.failed = failed }

  /// Complaint about the place to begin, where nothing was heard, and nothing is wrong with any file; nil for none.
  ///
  /// Blocks until the file has been looked at.
  var complaint: String? { played == 0 && failed == 0 ? start?.complaint : nil }

  mutating func begin() { played += 1 }

  mutating func underrun() { underruns += 1 }

  /// Items cannot be played.
  ///
  /// - Returns: the lines to be shown about them.
  mutating func fail(_ failures: [ItemFailure]) -> [String] {
    failed += failures.itemCount
    return lines.add(failures.map { ErrorText.of($0) }, count: failures.itemCount)
  }

  /// Something else happened than that an item cannot be played.
  ///
  /// - Returns: the line about those that none was about, if there are some.
  mutating func endRow() -> String? { lines.end() }
}
