// SPDX-License-Identifier: Apache-2.0

extension QueueState {
  /// The list, and what has been done to it.
  struct List: Sendable {
    /// The items: whoever lets go of an old state last, on whichever thread, does not free them there.
    var items = PlaylistItems(PlaylistTree())
    /// The order before it was shuffled; nil where it is not.
    var original: PlaylistItems?
    /// Number of changes so far.
    private(set) var version = 0
    /// The changes since they were last told.
    private(set) var steps: [PlaylistDifference.Step] = []

    /// Takes note of a change, which consists of `steps`.
    mutating func changed(_ steps: [PlaylistDifference.Step]) {
      version += 1
      self.steps += steps
    }

    /// Replaces the item at `index` by one with the same identity.
    mutating func update(_ item: PlaylistItem, at index: Int) {
      var tree = items.tree
      tree.update(item, at: index)
      items = PlaylistItems(tree)
      if var old = original?.tree, let index = old.index(of: item.id) {
        old.update(item, at: index)
        original = PlaylistItems(old)
      }
      changed([])
    }

    /// The changes since this was asked last; nil for none.
    mutating func takeSteps() -> [PlaylistDifference.Step]? {
      guard !steps.isEmpty else { return nil }
      defer { steps = [] }
      return steps
    }
  }
}
