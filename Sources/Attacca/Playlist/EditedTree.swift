// SPDX-License-Identifier: Apache-2.0

/// A list after several edits, with what has become of each place of the list before.
struct EditedTree {
  /// The list before.
  let old: PlaylistTree
  /// The list after.
  private(set) var tree: PlaylistTree
  /// The items of the edits, in their order.
  private(set) var identities: [PlaylistItem.ID] = []
  /// Indices in the list before of what was taken out, moved or replaced: ascending, none adjacent.
  private(set) var removed: [Range<Int>] = []
  /// Indices in the list after of what was put in, moved or put in the place of another.
  private(set) var inserted: [Range<Int>] = []

  /// Carries `edits` out on `old`, in O(log n) each.
  ///
  /// - Throws: `PlaylistError` when an item that they name is not there at that point.
  /// - Precondition: no item that they put in is there at that point.
  init(_ edits: PlaylistEdits, on old: PlaylistTree) throws(PlaylistError) {
    (self.old, tree) = (old, old)
    var touched: Set<PlaylistItem.ID> = []
    for step in edits.steps {
      let items = try carryOut(step)
      touched.formUnion(items)
      identities += items
    }
    removed = Self.ranges(touched.compactMap(old.index).sorted())
    inserted = Self.ranges(touched.compactMap(tree.index).sorted())
  }

  private mutating func carryOut(
    _ step: PlaylistEdits.Step
  ) throws(PlaylistError) -> [PlaylistItem.ID] {
    switch step {
    case .insert(let items, let place):
      tree.insert(PlaylistTree(items), at: try tree.index(of: place, for: "insert"))
      return items.map(\.id)
    case .remove(let id):
      _ = tree.remove(at: try tree.index(of: id, for: "remove"))
      return [id]
    case .move(let id, let place):
      let (source, destination) = try tree.move(id, to: place)
      return source == destination ? [] : [id]
    case .replace(let id, let item):
      let index = try tree.index(of: id, for: "replace")
      _ = tree.remove(at: index)
      tree.insert(item, at: index)
      return [id, item.id]
    }
  }

  private static func ranges(_ indices: [Int]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in indices {
      if let last = ranges.last, last.upperBound == index {
        ranges[ranges.count - 1] = last.lowerBound..<(index + 1)
      } else {
        ranges.append(index..<(index + 1))
      }
    }
    return ranges
  }

  /// Steps that were done, for who has the list before.
  var steps: [PlaylistDifference.Step] {
    removed.reversed().map { .removed($0) } + inserted.map { .inserted($0) }
  }

  /// The place in the list after that `place` in the list before has become: behind the last item in
  /// front of it that stayed, or, for who goes backwards, in front of the first one behind it.
  func place(of place: Int, isReversed: Bool) -> Int {
    var neighbour = isReversed ? place : place - 1
    if let gone = removed(at: neighbour) {
      neighbour = isReversed ? gone.upperBound : gone.lowerBound - 1
    }
    guard old.count > neighbour, neighbour >= 0, let index = tree.index(of: old[neighbour].id)
    else {
      return isReversed ? tree.count : 0
    }
    return isReversed ? index : index + 1
  }

  private func removed(at index: Int) -> Range<Int>? {
    var (low, high) = (0, removed.count)
    while low < high {
      let middle = (low + high) / 2
      if removed[middle].upperBound <= index { low = middle + 1 } else { high = middle }
    }
    return low < removed.count && removed[low].contains(index) ? removed[low] : nil
  }
}
