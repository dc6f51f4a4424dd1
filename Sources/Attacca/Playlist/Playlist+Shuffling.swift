// SPDX-License-Identifier: Apache-2.0

// Built without the semaphore, once, or twice where the list was changed meanwhile.
extension Playlist {
  /// True where `unshuffle` would bring an order back.
  public var isShuffled: Bool { queue.snapshot.list.original != nil }

  /// Puts the items in an order that `seed` decides.
  ///
  /// A current item is the first one then, so that all others follow it; it plays on.
  @discardableResult
  public func shuffle(seed: UInt64) -> Edit {
    queue.rebuild { state in
      var items = Array(state.items)
      var random = ShuffleGenerator(seed: seed)
      random.shuffle(&items)
      return ShuffledList(items)
    } _: { state, shuffled in
      // What is current may be another item than when the list was shuffled.
      shuffled.put(first: state.current?.id)
      state.reorder(shuffled.tree, original: state.list.original ?? state.items)
      return shuffled.identities
    }
  }

  /// Brings back the order before the first `shuffle`.
  ///
  /// Items that came since stay behind the one that they follow now. Nothing happens if the list is
  /// not shuffled.
  @discardableResult
  public func unshuffle() -> Edit {
    queue.rebuild { state -> (tree: PlaylistTree, identities: [PlaylistItem.ID])? in
      guard let original = state.list.original else { return nil }
      var (front, behind) = ([PlaylistItem](), [PlaylistItem.ID: [PlaylistItem]]())
      var known: PlaylistItem.ID?
      for item in state.items {
        if original.index(of: item.id) != nil {
          known = item.id
        } else if let known {
          behind[known, default: []].append(item)
        } else {
          front.append(item)
        }
      }
      for item in original where state.tree.index(of: item.id) != nil {
        front.append(item)
        front += behind[item.id] ?? []
      }
      return (PlaylistTree(front), front.map(\.id))
    } _: { state, built in
      guard let built else { return [] }
      state.reorder(built.tree, original: nil)
      return built.identities
    }
  }
}
