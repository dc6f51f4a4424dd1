// SPDX-License-Identifier: Apache-2.0

/// Items in a row that one decode step could not open, in front of the one that its outcome is of.
struct SkippedItems: Sendable {
  /// The item that the step was for, which could not be opened.
  let first: PlaylistItem
  /// Reason for which it was skipped.
  let error: any Error
  /// Number of items that could not be opened.
  private(set) var count = 1
  /// The last of them.
  private(set) var last: PlayedRange
  /// The item behind them, which was tried last.
  private(set) var next: (item: PlaylistItem, range: PlayedRange)

  init(
    _ first: PlaylistItem, _ range: PlayedRange, _ error: any Error,
    next: (PlaylistItem, PlayedRange)
  ) {
    (self.first, self.error, last, self.next) = (first, error, range, next)
  }

  /// The item that was tried could not be opened either; `following` is tried now.
  mutating func skip(to following: (PlaylistItem, PlayedRange)) {
    count += 1
    last = next.range
    next = following
  }
}
