// SPDX-License-Identifier: Apache-2.0

import HashTreeCollections

// Whole stretches at a time. The nodes cost O(log n); the identities of a stretch that comes in or
// goes out are one entry each.
extension PlaylistTree {
  /// Adds the items of `other` behind the last one.
  ///
  /// - Precondition: no item of `other` is here.
  mutating func append(_ other: PlaylistTree) { insert(other, at: count) }

  /// Adds the items of `other` in front of the one at `index`, or at the end.
  ///
  /// - Precondition: no item of `other` is here, and `index` is in 0...count.
  mutating func insert(_ other: PlaylistTree, at index: Int) {
    guard let middle = other.root else { return }
    guard root != nil else {
      self = other
      return
    }
    takeIdentities(of: other)
    let (left, right) = split(root, at: index)
    setRoot(concatenate(concatenate(left, middle), right))
  }

  /// Takes out the items of `range`.
  ///
  /// - Precondition: `range` is in 0...count.
  mutating func remove(_ range: Range<Int>) {
    let (left, rest) = split(root, at: range.lowerBound)
    let (gone, right) = split(rest, at: range.count)
    forgetIdentities(of: gone)
    setRoot(concatenate(left, right))
  }

  /// The first `index` items, and the others.
  private mutating func split(
    _ node: PlaylistNode?, at index: Int
  ) -> (PlaylistNode?, PlaylistNode?) {
    guard let node else { return (nil, nil) }
    let before = node.left?.count ?? 0
    if index <= before {
      let (left, right) = split(node.left, at: index)
      return (left, link(right, node.item, node.right))
    }
    let (left, right) = split(node.right, at: index - before - 1)
    return (link(node.left, node.item, left), right)
  }

  private mutating func concatenate(
    _ left: PlaylistNode?, _ right: PlaylistNode?
  ) -> PlaylistNode? {
    guard let left else { return right }
    guard let right else { return left }
    let (item, rest) = removingFirst(of: right)
    return link(left, item, rest)
  }

  private mutating func removingFirst(of node: PlaylistNode) -> (PlaylistItem, PlaylistNode?) {
    guard let left = node.left else { return (node.item, node.right) }
    let (item, rest) = removingFirst(of: left)
    return (item, link(rest, node.item, node.right))
  }

  /// A balanced tree of two trees of any sizes with an item between them.
  private mutating func link(
    _ left: PlaylistNode?, _ item: PlaylistItem, _ right: PlaylistNode?
  ) -> PlaylistNode {
    let (leftWeight, rightWeight) = (PlaylistNode.weight(left), PlaylistNode.weight(right))
    if let right, rightWeight > 3 * leftWeight {
      return balance(adopted: link(left, item, right.left), right.item, right.right)
    }
    if let left, leftWeight > 3 * rightWeight {
      return balance(adopted: left.left, left.item, link(left.right, item, right))
    }
    return adopt(left, item, right)
  }
}
