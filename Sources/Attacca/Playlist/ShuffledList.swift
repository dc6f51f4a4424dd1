// SPDX-License-Identifier: Apache-2.0

/// A list in an order of its own, of which one item is put first.
///
/// One thread at a time.
final class ShuffledList {
  private(set) var tree: PlaylistTree
  private(set) var identities: [PlaylistItem.ID]
  /// Place of the first item of the order, which another one has changed places with.
  private var place = 0

  init(_ items: [PlaylistItem]) {
    (tree, identities) = (PlaylistTree(items), items.map(\.id))
  }

  /// Has the item with identity `id` change places with the first one; nil for none.
  func put(first id: PlaylistItem.ID?) {
    swapFirst(with: place)
    guard let id, let index = tree.index(of: id) else { return }
    swapFirst(with: index)
    place = index
  }

  private func swapFirst(with index: Int) {
    place = 0
    guard index > 0 else { return }
    let first = tree.remove(at: 0)
    let other = tree.remove(at: index - 1)
    tree.insert(other, at: 0)
    tree.insert(first, at: index)
    identities.swapAt(0, index)
  }
}
