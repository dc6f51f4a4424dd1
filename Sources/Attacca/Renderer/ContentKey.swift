// SPDX-License-Identifier: Apache-2.0

/// A part of a line's content that has a gain of its own: one playing of an item.
struct ContentKey: Hashable, Sendable {
  let item: UInt64
  let pass: Int

  /// Content of no item.
  static let none = ContentKey(item: 0, pass: 0)
}
