// SPDX-License-Identifier: Apache-2.0

/// Changes that were made at once, and are kept together or not at all.
struct JournalEntry: Hashable, Sendable {
  /// Number of the entry; the one behind it has the next.
  let sequence: UInt64
  /// Version of the queue behind the changes.
  let version: UInt32
  let changes: [StateChange]
}
