// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A thread-safe, ordered list of items with identities.
///
/// Every operation is atomic under one binary semaphore, which is held for microseconds, a million
/// items included: never while a file is touched, and never while anyone is called. Indices are the
/// caller's to get right; identities may go away at any time and are errors.
public final class Playlist: @unchecked Sendable {
  // @unchecked: `tree` and `edits` are touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var tree = PlaylistTree()
  private var edits = 0
  /// Called after every edit, without the semaphore, by the thread that edited.
  private let changed: (@Sendable () -> Void)?

  /// An empty playlist.
  public convenience init() { self.init(changed: nil) }

  init(changed: (@Sendable () -> Void)?) { self.changed = changed }

  private func edit<R, E: Error>(
    _ body: (inout PlaylistTree) throws(E) -> R
  ) throws(E) -> R {
    semaphore.wait()
    let before = tree
    let result: R
    do {
      result = try body(&tree)
    } catch {
      semaphore.signal()
      throw error
    }
    edits += 1
    semaphore.signal()
    // The old tree is let go only here: freeing a long list takes its time.
    withExtendedLifetime(before) {}
    changed?()
    return result
  }

  // MARK: Looking

  /// The items now, and how many edits there have been; O(1).
  var snapshot: (items: PlaylistItems, edits: Int) {
    semaphore.wait()
    defer { semaphore.signal() }
    return (PlaylistItems(tree), edits)
  }

  /// The items now; O(1), and unaffected by later edits.
  public var items: PlaylistItems { snapshot.items }

  /// How many items there are.
  public var count: Int { items.count }

  /// The item at `index`.
  ///
  /// - Precondition: `index` is in 0..<count.
  public subscript(index: Int) -> PlaylistItem { items[index] }

  /// Where the item with this identity is, or nil.
  public func index(of id: PlaylistItem.ID) -> Int? { items.index(of: id) }

  /// Whether an item with this identity is here.
  public func contains(_ id: PlaylistItem.ID) -> Bool { index(of: id) != nil }

  // MARK: Editing

  private static func preconditionIsNew(_ item: PlaylistItem, in tree: PlaylistTree) {
    precondition(tree.index(of: item.id) == nil, "item \(item.id) is in the playlist already")
  }

  /// Adds an item at the end.
  ///
  /// - Precondition: the item is not in the playlist.
  public func append(_ item: PlaylistItem) {
    edit { tree in
      Self.preconditionIsNew(item, in: tree)
      tree.insert(item, at: tree.count)
    }
  }

  /// Adds items at the end.
  ///
  /// An empty playlist takes them in O(n), one that is not in O(n log m).
  ///
  /// - Precondition: no item occurs twice or is in the playlist.
  public func append(contentsOf items: some Collection<PlaylistItem>) {
    let built = PlaylistTree(items)
    edit { tree in
      if tree.count == 0 {
        tree = built
      } else {
        for item in items {
          Self.preconditionIsNew(item, in: tree)
          tree.insert(item, at: tree.count)
        }
      }
    }
  }

  /// Adds an item in front of the one at `index`, or at the end.
  ///
  /// - Precondition: `index` is in 0...count, and the item is not in the playlist.
  public func insert(_ item: PlaylistItem, at index: Int) {
    edit { tree in
      precondition(index >= 0 && index <= tree.count, "insert at \(index) of \(tree.count)")
      tree.insert(item, at: index)
    }
  }

  /// Adds an item behind the one with identity `id`.
  ///
  /// - Precondition: the item is not in the playlist.
  /// - Throws: `PlaylistError` when that is not here.
  public func insert(
    _ item: PlaylistItem, after id: PlaylistItem.ID
  ) throws(PlaylistError) {
    try edit { tree throws(PlaylistError) in
      guard let index = tree.index(of: id) else { throw PlaylistError(id: id, call: "insert") }
      Self.preconditionIsNew(item, in: tree)
      tree.insert(item, at: index + 1)
    }
  }

  /// Removes the item at `index`.
  ///
  /// - Precondition: `index` is in 0..<count.
  @discardableResult
  public func remove(at index: Int) -> PlaylistItem {
    edit { tree in
      precondition(index >= 0 && index < tree.count, "remove at \(index) of \(tree.count)")
      return tree.remove(at: index)
    }
  }

  /// Removes the item with identity `id`.
  ///
  /// - Returns: where it was.
  /// - Throws: `PlaylistError` when it is not here.
  @discardableResult
  public func remove(_ id: PlaylistItem.ID) throws(PlaylistError) -> Int {
    try edit { tree throws(PlaylistError) in
      guard let index = tree.index(of: id) else { throw PlaylistError(id: id, call: "remove") }
      _ = tree.remove(at: index)
      return index
    }
  }

  /// Moves the item at `source` so that it is at `destination` afterwards.
  ///
  /// - Precondition: both are in 0..<count.
  public func move(from source: Int, to destination: Int) {
    edit { tree in
      precondition(
        (0..<tree.count).contains(source) && (0..<tree.count).contains(destination),
        "move from \(source) to \(destination) of \(tree.count)")
      tree.insert(tree.remove(at: source), at: destination)
    }
  }

  /// Puts another item in the place of the one at `index`.
  ///
  /// - Returns: the item that was there.
  /// - Precondition: `index` is in 0..<count, and the new item is not in the playlist.
  @discardableResult
  public func replace(at index: Int, with item: PlaylistItem) -> PlaylistItem {
    edit { tree in
      precondition((0..<tree.count).contains(index), "replace at \(index) of \(tree.count)")
      let old = tree.remove(at: index)
      tree.insert(item, at: index)
      return old
    }
  }

  /// Puts other items in the place of all; they are built into a list before the semaphore is
  /// taken.
  public func replaceAll(with items: some Collection<PlaylistItem>) {
    let built = PlaylistTree(items)
    edit { tree in tree = built }
  }
}
