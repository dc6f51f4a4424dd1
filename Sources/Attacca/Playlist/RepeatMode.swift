// SPDX-License-Identifier: Apache-2.0

/// The rule for what follows an item, and the last one.
public enum RepeatMode: Hashable, Sendable, CaseIterable {
  /// The next item; nothing after the last one.
  case off
  /// The same item again.
  case one
  /// The next item; the first one after the last one.
  case all
}
