// SPDX-License-Identifier: Apache-2.0

/// A part of a line's content that has a gain of its own: one playing of an item.
package struct ContentKey: Hashable, Sendable {
  let item: UInt64
  let pass: Int

  /// Content of the playing number `pass` of item number `item`.
  package init(item: UInt64, pass: Int) { (self.item, self.pass) = (item, pass) }

  /// Content of no item.
  package static let none = ContentKey(item: 0, pass: 0)
}
