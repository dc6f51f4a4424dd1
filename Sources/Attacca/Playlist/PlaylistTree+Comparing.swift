// SPDX-License-Identifier: Apache-2.0

// What two trees have in common is not looked at.
extension PlaylistTree {
  /// A part of a list: a whole subtree, or one item.
  private enum Part {
    case tree(PlaylistNode)
    case item(PlaylistItem)

    var count: Int {
      switch self {
      case .tree(let node): node.count
      case .item: 1
      }
    }
  }

  /// Tells whether the items at `range` are those of `other` at `otherRange`.
  ///
  /// Costs O(log n) for each edit that lies between the two lists.
  ///
  /// - Precondition: `range` is in 0...count, and `otherRange` in 0...other.count.
  func hasItems(_ range: Range<Int>, of other: PlaylistTree, _ otherRange: Range<Int>) -> Bool {
    guard range.count == otherRange.count else { return false }
    var (mine, others) = (parts(range), other.parts(otherRange))
    while let a = mine.popLast(), let b = others.popLast() {
      switch (a, b) {
      case (.tree(let a), .tree(let b)) where a === b: continue
      case (.item(let a), .item(let b)):
        guard a == b else { return false }
      default:
        // The larger one is taken apart, or both.
        if a.count >= b.count { Self.split(a, into: &mine) } else { mine.append(a) }
        if b.count >= a.count { Self.split(b, into: &others) } else { others.append(b) }
      }
    }
    return mine.isEmpty && others.isEmpty
  }

  /// The items at `range`, the last part first.
  private func parts(_ range: Range<Int>) -> [Part] {
    var parts: [Part] = []
    func collect(_ node: PlaylistNode?, _ range: Range<Int>) {
      guard let node, !range.isEmpty else { return }
      if range == 0..<node.count { return parts.append(.tree(node)) }
      let before = node.left?.count ?? 0
      let behind = range.clamped(to: (before + 1)..<node.count)
      collect(node.right, (behind.lowerBound - before - 1)..<(behind.upperBound - before - 1))
      if range.contains(before) { parts.append(.item(node.item)) }
      collect(node.left, range.clamped(to: 0..<before))
    }
    collect(root, range)
    return parts
  }

  private static func split(_ part: Part, into parts: inout [Part]) {
    guard case .tree(let node) = part else { return parts.append(part) }
    if let right = node.right { parts.append(.tree(right)) }
    parts.append(.item(node.item))
    if let left = node.left { parts.append(.tree(left)) }
  }
}
