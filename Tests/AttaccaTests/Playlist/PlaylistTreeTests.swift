// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import TestSeeds
import Testing

@Suite struct PlaylistTreeTests {
  private static func items(_ count: Int) -> [PlaylistItem] {
    (0..<count).map { PlaylistItem(path: "\($0)") }
  }

  /// Levels, with every node's count and balance checked on the way.
  private func checkedDepth(_ node: PlaylistNode?) -> Int {
    guard let node else { return 0 }
    let (left, right) = (PlaylistNode.weight(node.left), PlaylistNode.weight(node.right))
    #expect(node.count + 1 == left + right)
    #expect(left <= 3 * right && right <= 3 * left)
    return 1 + max(checkedDepth(node.left), checkedDepth(node.right))
  }

  private func expectAlike(_ tree: PlaylistTree, _ model: [PlaylistItem]) {
    #expect(tree.count == model.count)
    let items = PlaylistItems(tree)
    #expect(items.elementsEqual(model))
    for (i, item) in model.enumerated() { #expect(tree.index(of: item.id) == i) }
    _ = checkedDepth(tree.root)
  }

  @Test(arguments: [1, 2])
  func `twenty thousand random edits do to the tree what they do to an array`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var tree = PlaylistTree()
    var model: [PlaylistItem] = []
    var snapshots: [(tree: PlaylistTree, model: [PlaylistItem])] = []
    var removed: [PlaylistItem] = []
    for step in 0..<10_000 {
      // Grows for a while, then shrinks, so that every size is passed both ways.
      let grows = step % 2_000 < 1_200
      if Int.random(in: 0..<50, using: &random) == 0 {
        let items = Self.items(.random(in: 0...40, using: &random))
        let index = Int.random(in: 0...model.count, using: &random)
        tree.insert(PlaylistTree(items), at: index)
        model.insert(contentsOf: items, at: index)
      } else if Int.random(in: 0..<50, using: &random) == 0 {
        let low = Int.random(in: 0...model.count, using: &random)
        let high = Int.random(in: low...min(low + 60, model.count), using: &random)
        tree.remove(low..<high)
        removed += model[low..<high]
        model.removeSubrange(low..<high)
      } else if model.isEmpty || Int.random(in: 0..<10, using: &random) < (grows ? 7 : 3) {
        let item = PlaylistItem(path: "\(step)")
        let index = Int.random(in: 0...model.count, using: &random)
        tree.insert(item, at: index)
        model.insert(item, at: index)
      } else {
        let index = Int.random(in: 0..<model.count, using: &random)
        let item = tree.remove(at: index)
        #expect(item == model.remove(at: index), "seed \(seed), step \(step)")
        removed.append(item)
      }
      if let index = model.indices.randomElement(using: &random) {
        #expect(tree.index(of: model[index].id) == index, "seed \(seed), step \(step)")
        #expect(tree[index] == model[index], "seed \(seed), step \(step)")
      }
      if let gone = removed.randomElement(using: &random) {
        #expect(tree.index(of: gone.id) == nil, "seed \(seed), step \(step)")
      }
      if step % 1_000 == 0 {
        expectAlike(tree, model)
        snapshots.append((tree, model))
      }
    }
    expectAlike(tree, model)
    for snapshot in snapshots { expectAlike(snapshot.tree, snapshot.model) }
  }

  @Test(arguments: 0...40) func `any number of items is built balanced and in order`(count: Int) {
    let items = Self.items(count)
    expectAlike(PlaylistTree(items), items)
  }

  @Test func `items added and removed at one end leave a shallow tree`() {
    var tree = PlaylistTree()
    for i in 0..<2_000 { tree.insert(PlaylistItem(path: ""), at: i) }
    #expect(Double(checkedDepth(tree.root)) <= 2.5 * 11)
    for _ in 0..<1_900 { _ = tree.remove(at: 0) }
    #expect(Double(checkedDepth(tree.root)) <= 2.5 * 7)
  }

  @Test func `an edit of a million items makes nodes only on its way`() {
    let items = Self.items(1_000_000)
    var tree = PlaylistTree(items)
    #expect(tree.count == 1_000_000)
    for index in [0, 1, 499_999, 777_777, 999_999] {
      #expect(tree.index(of: items[index].id) == index)
      let before = tree
      tree.insert(PlaylistItem(path: "new"), at: index)
      // log2 of a million is 20; a rotation adds two nodes to those of the way.
      #expect(Self.made(tree.root, since: before) <= 50)
      let inserted = tree
      _ = tree.remove(at: index)
      #expect(Self.made(tree.root, since: inserted) <= 50)
      #expect(tree[index] == items[index])
    }
  }

  /// How many nodes below `node` were made since `old`.
  private static func made(_ node: PlaylistNode?, since old: PlaylistTree) -> Int {
    guard let node, old.node(of: node.item) !== node else { return 0 }
    return 1 + made(node.left, since: old) + made(node.right, since: old)
  }

  @Test func `building with an item twice traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let item = PlaylistItem(path: "")
      _ = PlaylistTree([item, PlaylistItem(path: ""), item])
    }
    #expect(end.says("an item occurs twice in a playlist"))
  }
}

extension PlaylistTree {
  /// The node that holds `item`.
  fileprivate func node(of item: PlaylistItem) -> PlaylistNode? {
    guard var index = index(of: item.id) else { return nil }
    var node = root
    while let here = node, here.item != item {
      let before = here.left?.count ?? 0
      if index < before {
        node = here.left
      } else {
        index -= before + 1
        node = here.right
      }
    }
    return node
  }
}
