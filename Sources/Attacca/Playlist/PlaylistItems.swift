// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch

/// An immutable list of items, as a playlist had it at one moment.
///
/// Copying it is O(1), however long; an index or identity is looked up in O(log n).
public struct PlaylistItems: RandomAccessCollection, Sendable {
  var tree: PlaylistTree { content.root.tree }
  private let content: Content

  /// The list, and what becomes of it: to free a million items takes a tenth of a second, which the
  /// one who happens to let go of them last does not have.
  private final class Content: @unchecked Sendable {
    // @unchecked: changed by `deinit` only, when nobody else has this object.
    private(set) var root: Root!
    /// Freed in microseconds.
    ///
    /// An edit leaves about 30 nodes to be freed of a list of a million: the next list holds the others.
    /// On the queue they would wait while edits come faster than it frees, in memory of the threads that
    /// made them: 500,000 edits by four threads leave 5.4 MB when each thread frees its own.
    private static let few = 100
    private static let disposal = DispatchQueue(label: "attacca.disposal", qos: .utility)

    init(_ tree: PlaylistTree) { root = Root(tree) }

    deinit {
      guard root.tree.count > Self.few, !root.isFreed(within: Self.few) else { return }
      // Nothing here may hold it when the queue lets go of it.
      let last = Unmanaged.passRetained(root!)
      root = nil
      Self.disposal.async { last.release() }
    }
  }

  private final class Root: @unchecked Sendable {
    // @unchecked: a variable only so that it can be asked who holds what is in it; never changed.
    @exclusivity(unchecked) private(set) var tree: PlaylistTree

    init(_ tree: PlaylistTree) { self.tree = tree }

    /// Tells whether it is freed in no time, when nobody else has this object.
    func isFreed(within limit: Int) -> Bool { tree.isFreed(within: limit) }
  }

  init(_ tree: PlaylistTree) { content = Content(tree) }

  /// The items of a collection, in O(n).
  ///
  /// - Precondition: no item occurs twice.
  public init(_ items: some Collection<PlaylistItem>) { self.init(PlaylistTree(items)) }

  /// 0.
  public var startIndex: Int { 0 }
  /// The number of items.
  public var endIndex: Int { tree.count }

  /// The item at `index`.
  ///
  /// - Precondition: `index` is in 0..<count.
  public subscript(index: Int) -> PlaylistItem {
    require(
      index >= 0 && index < tree.count, "the item at \(index); 0..<\(tree.count) are permitted")
    return tree[index]
  }

  /// Index of the item with this identity; nil where it is not there.
  public func index(of id: PlaylistItem.ID) -> Int? { tree.index(of: id) }
}
