// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch

/// A thread-safe, ordered list of items with identities.
///
/// Every operation is atomic under one binary semaphore, which is held for microseconds, a million
/// items included: never while a file is touched, and never while anyone is called. Operations that
/// touch every item build the new list before they take it; where the list is changed meanwhile they
/// build it once more, and other edits of it wait for that. Indices are the caller's to get right;
/// identities may go away at any time and are errors.
///
/// A player's playlist is followed while it plays: what is heard next is what the list says, and
/// where an edit concerns what is heard now, the next audio takes over at once.
public final class Playlist: Sendable {
  let queue = SharedQueue()

  /// An empty playlist.
  public init() {}

  /// More items than this are joined to the list before the semaphore is taken.
  private static let few = 32

  // MARK: Looking

  /// The items now; O(1), and unaffected by later edits.
  public var items: PlaylistItems { queue.snapshot.items }

  /// Number of items.
  public var count: Int { items.count }

  /// The item at `index`.
  ///
  /// - Precondition: `index` is in 0..<count.
  public subscript(index: Int) -> PlaylistItem { items[index] }

  /// Index of the item with this identity; nil where it is not there.
  public func index(of id: PlaylistItem.ID) -> Int? { items.index(of: id) }

  /// Tells whether an item with this identity is in the list.
  public func contains(_ id: PlaylistItem.ID) -> Bool { index(of: id) != nil }

  /// The items now, and every difference from now on; each caller has a sequence of its own.
  public var changes: PlaylistChanges { queue.changes }

  // MARK: Putting in

  /// Adds an item at the end.
  ///
  /// - Precondition: the item is not in the playlist.
  @discardableResult
  public func append(_ item: PlaylistItem) -> Edit {
    queue.edit { state, _ in
      state.insert(item, at: state.tree.count)
      return [item.id]
    }
  }

  /// Adds items at the end; O(n), of which the semaphore is held for O(1).
  ///
  /// - Precondition: no item occurs twice or is in the playlist.
  @discardableResult
  public func append(contentsOf items: some Collection<PlaylistItem>) -> Edit {
    insert(items) { $0.count }
  }

  /// Adds an item in front of the one at `index`, or at the end.
  ///
  /// - Precondition: `index` is in 0...count, and the item is not in the playlist.
  @discardableResult
  public func insert(_ item: PlaylistItem, at index: Int) -> Edit {
    queue.edit { state, _ in
      let count = state.tree.count
      require(index >= 0 && index <= count, "an insertion at \(index); 0...\(count) are permitted")
      state.insert(item, at: index)
      return [item.id]
    }
  }

  /// Adds items in front of the one at `index`, or at the end; O(n), of which the semaphore is held
  /// for O(1).
  ///
  /// - Precondition: `index` is in 0...count, and no item occurs twice or is in the playlist.
  @discardableResult
  public func insert(contentsOf items: some Collection<PlaylistItem>, at index: Int) -> Edit {
    insert(items) { tree in
      require(
        index >= 0 && index <= tree.count,
        "an insertion at \(index); 0...\(tree.count) are permitted")
      return index
    }
  }

  private func insert(
    _ items: some Collection<PlaylistItem>, at index: (PlaylistTree) -> Int
  ) -> Edit {
    let new = PlaylistTree(items)
    let identities = items.map(\.id)
    guard new.count > Self.few else {
      return queue.edit { state, _ in
        state.insert(new, at: index(state.tree))
        return identities
      }
    }
    return queue.rebuild { state in
      var state = state
      state.insert(new, at: index(state.tree))
      return state.tree
    } _: { state, tree in
      state.insert(new.count, joined: tree, at: index(state.tree))
      return identities
    }
  }

  /// Adds an item behind the one with identity `id`.
  ///
  /// - Precondition: the item is not in the playlist.
  /// - Throws: `PlaylistError` when that is not here.
  @discardableResult
  public func insert(
    _ item: PlaylistItem, after id: PlaylistItem.ID
  ) throws(PlaylistError) -> Edit {
    try queue.edit { state, _ throws(PlaylistError) in
      guard let index = state.tree.index(of: id) else {
        throw PlaylistError(id: id, call: "insert")
      }
      state.insert(item, at: index + 1)
      return [item.id]
    }
  }

  // MARK: Taking out

  /// Removes the item at `index`.
  ///
  /// - Precondition: `index` is in 0..<count.
  @discardableResult
  public func remove(at index: Int) -> Edit {
    queue.edit { state, _ in
      let count = state.tree.count
      require(index >= 0 && index < count, "a removal at \(index); 0..<\(count) are permitted")
      let id = state.tree[index].id
      state.remove(index..<(index + 1))
      return [id]
    }
  }

  /// Removes the item with identity `id`.
  ///
  /// - Throws: `PlaylistError` when it is not here.
  @discardableResult
  public func remove(_ id: PlaylistItem.ID) throws(PlaylistError) -> Edit {
    try queue.edit { state, _ throws(PlaylistError) in
      guard let index = state.tree.index(of: id) else {
        throw PlaylistError(id: id, call: "remove")
      }
      state.remove(index..<(index + 1))
      return [id]
    }
  }

  /// Removes the items at `range`; O(n), of which the semaphore is held for O(1).
  ///
  /// - Precondition: `range` is in 0...count.
  @discardableResult
  public func remove(_ range: Range<Int>) -> Edit {
    func check(_ tree: PlaylistTree) {
      require(
        range.lowerBound >= 0 && range.upperBound <= tree.count,
        "a removal of \(range); ranges in 0..<\(tree.count) are permitted")
    }
    guard range.count > Self.few else {
      return queue.edit { state, _ in
        check(state.tree)
        let identities = range.map { state.tree[$0].id }
        state.remove(range)
        return identities
      }
    }
    return queue.rebuild { state in
      check(state.tree)
      let identities = state.items[range].map(\.id)
      var state = state
      state.tree.remove(range)
      return (tree: state.tree, identities: identities)
    } _: { state, built in
      state.remove(range, leaving: built.tree)
      return built.identities
    }
  }

  /// Removes all items.
  @discardableResult
  public func clear() -> Edit {
    queue.rebuild { state in
      state.items.map(\.id)
    } _: { state, identities in
      state.replaceAll(with: PlaylistTree())
      return identities
    }
  }

  // MARK: Changing

  /// Moves the item at `source` so that it is at `destination` afterwards.
  ///
  /// - Precondition: both are in 0..<count.
  @discardableResult
  public func move(from source: Int, to destination: Int) -> Edit {
    queue.edit { state, _ in
      let indices = 0..<state.tree.count
      require(
        indices.contains(source) && indices.contains(destination),
        "a move from \(source) to \(destination); \(indices) are permitted")
      let id = state.tree[source].id
      state.move(from: source, to: destination)
      return [id]
    }
  }

  /// Puts another item in the place of the one at `index`.
  ///
  /// - Returns: the old item and the new one.
  /// - Precondition: `index` is in 0..<count, and the new item is not in the playlist.
  @discardableResult
  public func replace(at index: Int, with item: PlaylistItem) -> Edit {
    queue.edit { state, _ in
      let count = state.tree.count
      require((0..<count).contains(index), "a replacement at \(index); 0..<\(count) are permitted")
      let old = state.tree[index].id
      state.replace(at: index, with: item)
      return [old, item.id]
    }
  }

  /// Puts other items in the place of all.
  ///
  /// If the current item is among them it goes on; otherwise the first one takes over.
  ///
  /// - Precondition: no item occurs twice.
  @discardableResult
  public func replaceAll(with items: some Collection<PlaylistItem>) -> Edit {
    let new = PlaylistTree(items)
    let identities = items.map(\.id)
    return queue.edit { state, _ in
      state.replaceAll(with: new)
      return identities
    }
  }
}
