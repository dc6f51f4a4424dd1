// SPDX-License-Identifier: Apache-2.0

// A list in both of its orders, as a whole.
extension Playlist {
  /// The items now, and the order before they were shuffled; nil where they are not.
  package var orders: (items: PlaylistItems, original: PlaylistItems?) {
    let state = queue.snapshot
    return (state.items, state.list.original)
  }

  /// Has the list be `items`; `original` is the order that `unshuffle` brings back, nil where they are not shuffled.
  ///
  /// A current item that is not among them is left, as one that is removed.
  package func replaceAll(with items: PlaylistItems, original: PlaylistItems?) -> Edit {
    queue.edit { state, _ in
      state.replaceAll(with: items.tree)
      state.list.original = original
      return items.map(\.id)
    }
  }
}
