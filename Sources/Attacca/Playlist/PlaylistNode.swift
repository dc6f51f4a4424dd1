// SPDX-License-Identifier: Apache-2.0

/// A node of a playlist's tree; never changed once it is made, so trees share what they have in
/// common.
final class PlaylistNode: @unchecked Sendable {
  let item: PlaylistItem
  // @unchecked: variables only so that it can be asked whether anyone else holds what is in them.
  @exclusivity(unchecked) private(set) var left: PlaylistNode?
  @exclusivity(unchecked) private(set) var right: PlaylistNode?
  /// Items in this subtree.
  let count: Int

  init(_ left: PlaylistNode?, _ item: PlaylistItem, _ right: PlaylistNode?) {
    (self.left, self.item, self.right) = (left, item, right)
    count = (left?.count ?? 0) + 1 + (right?.count ?? 0)
  }

  /// Number of nodes that are freed with `node`, because nothing else holds them, but `limit` at most.
  static func countFreed(with node: inout PlaylistNode?, limit: Int) -> Int {
    guard limit > 0, node != nil, isKnownUniquelyReferenced(&node) else { return 0 }
    let left = countFreed(with: &node!.left, limit: limit - 1)
    return 1 + left + countFreed(with: &node!.right, limit: limit - 1 - left)
  }

  /// Returns the measure of balance: a node's count and 1; an empty subtree weighs 1.
  static func weight(_ node: PlaylistNode?) -> Int { (node?.count ?? 0) + 1 }
}
