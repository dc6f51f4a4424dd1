// SPDX-License-Identifier: Apache-2.0

import Preconditions
import HashTreeCollections

/// An ordered list of items as a persistent weight-balanced tree: copying is O(1), and every edit
/// and look-up by index or identity O(log n), a million items included.
///
/// Balanced by ⟨3, 2⟩ (Y. Hirai, K. Yamamoto, "Balancing weight-balanced trees", JFP 2011). An
/// identity is found by climbing from node to parent; who is whose parent is kept in a persistent
/// hash tree, of which a rotation changes three entries.
struct PlaylistTree: Sendable {
  private typealias Node = PlaylistNode

  private(set) var root: PlaylistNode?
  private var parents: TreeDictionary<PlaylistItem.ID, PlaylistItem.ID> = [:]

  init() {}

  /// Tells whether no more than `limit` nodes are freed with this one, all others being held by other trees.
  mutating func isFreed(within limit: Int) -> Bool {
    PlaylistNode.countFreed(with: &root, limit: limit + 1) <= limit
  }

  /// Builds a balanced tree in O(n).
  ///
  /// - Precondition: no item occurs twice.
  init(_ items: some Collection<PlaylistItem>) {
    let array = Array(items)
    root = build(array[...])
    require(
      parents.count == max(0, array.count - 1), "an item occurs twice in a playlist")
  }

  private mutating func build(_ items: ArraySlice<PlaylistItem>) -> PlaylistNode? {
    guard !items.isEmpty else { return nil }
    let middle = items.startIndex + items.count / 2
    return adopt(
      build(items[..<middle]), items[middle], build(items[(middle + 1)...]))
  }

  var count: Int { root?.count ?? 0 }

  /// The item at `index`.
  subscript(index: Int) -> PlaylistItem {
    var index = index
    var node = root
    while let here = node {
      let before = here.left?.count ?? 0
      if index == before { return here.item }
      if index < before {
        node = here.left
      } else {
        index -= before + 1
        node = here.right
      }
    }
    trap("an index past the end; 0..<\(count) are permitted")
  }

  /// Index of the item with this identity; nil where it is not there.
  func index(of id: PlaylistItem.ID) -> Int? {
    guard let root else { return nil }
    var way = [id]
    while let parent = parents[way[way.count - 1]] { way.append(parent) }
    guard way.removeLast() == root.item.id else { return nil }
    var (index, node) = (0, root)
    while let next = way.popLast() {
      if let left = node.left, left.item.id == next {
        node = left
      } else if let right = node.right, right.item.id == next {
        index += (node.left?.count ?? 0) + 1
        node = right
      } else {
        trap("\(next) is not below \(node.item.id), its parent")
      }
    }
    return index + (node.left?.count ?? 0)
  }

  // MARK: Stretches

  /// The whole of it; it has no parent.
  mutating func setRoot(_ node: PlaylistNode?) {
    root = node
    if let node { parents[node.item.id] = nil }
  }

  /// - Precondition: no item of `other` is here.
  mutating func takeIdentities(of other: PlaylistTree) {
    // The larger one takes the entries of the smaller.
    let (large, small) = count >= other.count ? (self, other) : (other, self)
    var all = large.parents
    for (id, parent) in small.parents { all[id] = parent }
    let ids = [large.root?.item.id, small.root?.item.id].compactMap { $0 }
    let count = large.parents.count + small.parents.count
    require(
      all.count == count && ids.allSatisfy { all[$0] == nil } && Set(ids).count == ids.count,
      "an item is in the playlist already")
    parents = all
  }

  mutating func forgetIdentities(of node: PlaylistNode?) {
    guard let node else { return }
    parents[node.item.id] = nil
    forgetIdentities(of: node.left)
    forgetIdentities(of: node.right)
  }

  // MARK: Editing

  /// - Precondition: the item is not in the tree, and `index` is in 0...count.
  mutating func insert(_ item: PlaylistItem, at index: Int) {
    require(self.index(of: item.id) == nil, "item \(item.id) is in the playlist already")
    root = inserting(item, at: index, into: root)
    parents[root!.item.id] = nil
  }

  /// - Precondition: `index` is in 0..<count.
  mutating func remove(at index: Int) -> PlaylistItem {
    let item = self[index]
    root = removing(at: index, from: root!)
    parents[item.id] = nil
    if let root { parents[root.item.id] = nil }
    return item
  }

  /// Puts `item` in the place of the one with the same identity.
  ///
  /// - Precondition: that is at `index`.
  mutating func update(_ item: PlaylistItem, at index: Int) {
    require(self[index].id == item.id, "item \(item.id) is not at \(index)")
    root = root.map { Self.updating(item, at: index, in: $0) }
  }

  private static func updating(
    _ item: PlaylistItem, at index: Int, in node: PlaylistNode
  ) -> PlaylistNode {
    let before = node.left?.count ?? 0
    if index == before { return PlaylistNode(node.left, item, node.right) }
    if index < before {
      let left = node.left.map { updating(item, at: index, in: $0) }
      return PlaylistNode(left, node.item, node.right)
    }
    let right = node.right.map { updating(item, at: index - before - 1, in: $0) }
    return PlaylistNode(node.left, node.item, right)
  }

  private mutating func inserting(
    _ item: PlaylistItem, at index: Int, into node: PlaylistNode?
  ) -> PlaylistNode {
    guard let node else { return PlaylistNode(nil, item, nil) }
    let before = node.left?.count ?? 0
    if index <= before {
      let left = inserting(item, at: index, into: node.left)
      return balance(adopting(left, insteadOf: node.left, node.item), node.item, node.right)
    }
    let right = inserting(item, at: index - before - 1, into: node.right)
    return balance(node.left, node.item, adopting(right, insteadOf: node.right, node.item))
  }

  private mutating func removing(at index: Int, from node: PlaylistNode) -> PlaylistNode? {
    let before = node.left?.count ?? 0
    if index < before {
      let left = removing(at: index, from: node.left!)
      return balance(adopting(left, insteadOf: node.left, node.item), node.item, node.right)
    }
    if index > before {
      let right = removing(at: index - before - 1, from: node.right!)
      return balance(node.left, node.item, adopting(right, insteadOf: node.right, node.item))
    }
    guard let left = node.left else { return node.right }
    guard let right = node.right else { return node.left }
    // The neighbour from the heavier side takes the place.
    if left.count > right.count {
      let item = Self.last(of: left)
      return adopt(removing(at: left.count - 1, from: left), item, right)
    }
    let item = Self.first(of: right)
    return adopt(left, item, removing(at: 0, from: right))
  }

  private static func first(of node: PlaylistNode) -> PlaylistItem {
    var node = node
    while let left = node.left { node = left }
    return node.item
  }

  private static func last(of node: PlaylistNode) -> PlaylistItem {
    var node = node
    while let right = node.right { node = right }
    return node.item
  }

  // MARK: Balance

  /// A node whose children know it as their parent.
  mutating func adopt(
    _ left: PlaylistNode?, _ item: PlaylistItem, _ right: PlaylistNode?
  ) -> PlaylistNode {
    if let left { parents[left.item.id] = item.id }
    if let right { parents[right.item.id] = item.id }
    return PlaylistNode(left, item, right)
  }

  /// Notes the parent of a child that has another item than the one before.
  private mutating func adopting(
    _ child: PlaylistNode?, insteadOf old: PlaylistNode?, _ parent: PlaylistItem
  ) -> PlaylistNode? {
    if let child, child.item.id != old?.item.id { parents[child.item.id] = parent.id }
    return child
  }

  /// The same for children that may have another parent yet.
  mutating func balance(
    adopted left: PlaylistNode?, _ item: PlaylistItem, _ right: PlaylistNode?
  ) -> PlaylistNode {
    if let left { parents[left.item.id] = item.id }
    if let right { parents[right.item.id] = item.id }
    return balance(left, item, right)
  }

  private mutating func balance(
    _ left: PlaylistNode?, _ item: PlaylistItem, _ right: PlaylistNode?
  ) -> PlaylistNode {
    let (leftWeight, rightWeight) = (Node.weight(left), Node.weight(right))
    if rightWeight > 3 * leftWeight, let right {
      if Node.weight(right.left) < 2 * Node.weight(right.right) {
        return adopt(adopt(left, item, right.left), right.item, right.right)
      }
      let middle = right.left!
      return adopt(
        adopt(left, item, middle.left), middle.item, adopt(middle.right, right.item, right.right))
    }
    if leftWeight > 3 * rightWeight, let left {
      if Node.weight(left.right) < 2 * Node.weight(left.left) {
        return adopt(left.left, left.item, adopt(left.right, item, right))
      }
      let middle = left.right!
      return adopt(
        adopt(left.left, left.item, middle.left), middle.item, adopt(middle.right, item, right))
    }
    return PlaylistNode(left, item, right)
  }
}
