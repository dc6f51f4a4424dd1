// SPDX-License-Identifier: Apache-2.0

/// An immutable list of items, as a playlist had it at one moment.
///
/// Copying it is O(1), however long; an index or identity is looked up in O(log n).
public struct PlaylistItems: RandomAccessCollection, Sendable {
  let tree: PlaylistTree

  init(_ tree: PlaylistTree) { self.tree = tree }

  /// The items of a collection, in O(n).
  ///
  /// - Precondition: no item occurs twice.
  public init(_ items: some Collection<PlaylistItem>) { tree = PlaylistTree(items) }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of items.
  public var endIndex: Int { tree.count }

  /// The item at `index`.
  ///
  /// - Precondition: `index` is in 0..<count.
  public subscript(index: Int) -> PlaylistItem {
    precondition(index >= 0 && index < tree.count, "item \(index) of \(tree.count)")
    return tree[index]
  }

  /// Where the item with this identity is, or nil.
  public func index(of id: PlaylistItem.ID) -> Int? { tree.index(of: id) }
}
