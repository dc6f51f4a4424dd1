// SPDX-License-Identifier: Apache-2.0

/// What a turn of the service's queue has to keep.
struct KeptTurn: Sendable {
  /// What it has changed; nil for nothing.
  var entry: JournalEntry?
  /// The state as a whole, where it is time for that.
  var state: SavedState?

  var isToKeep: Bool { entry != nil || state != nil }
}
