// SPDX-License-Identifier: Apache-2.0

/// A node of a playlist's tree; never changed once it is made, so trees share what they have in
/// common.
final class PlaylistNode: Sendable {
  let item: PlaylistItem
  let left: PlaylistNode?
  let right: PlaylistNode?
  /// Items in this subtree.
  let count: Int

  init(_ left: PlaylistNode?, _ item: PlaylistItem, _ right: PlaylistNode?) {
    (self.left, self.item, self.right) = (left, item, right)
    count = (left?.count ?? 0) + 1 + (right?.count ?? 0)
  }

  /// What balance is measured in; an empty subtree weighs 1.
  static func weight(_ node: PlaylistNode?) -> Int { (node?.count ?? 0) + 1 }
}
