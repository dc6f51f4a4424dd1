// SPDX-License-Identifier: Apache-2.0

import Rendering

// Changes of the list, and what they mean for the place where playing is.
extension QueueState {
  private mutating func changed(_ steps: PlaylistDifference.Step...) {
    list.changed(steps)
  }

  mutating func insert(_ items: PlaylistTree, at index: Int) {
    tree.insert(items, at: index)
    inserted(items.count, at: index)
  }

  mutating func insert(_ item: PlaylistItem, at index: Int) {
    tree.insert(item, at: index)
    inserted(1, at: index)
  }

  /// The same where `joined` is the list with them, made before.
  mutating func insert(_ count: Int, joined: PlaylistTree, at index: Int) {
    tree = joined
    inserted(count, at: index)
  }

  private mutating func inserted(_ count: Int, at index: Int) {
    changed(.inserted(index..<(index + count)))
    // What is put into the gap itself is next.
    if case .ended(let gap) = cursor, isReversed ? index <= gap : index < gap {
      cursor = .ended(gap: gap + count)
    }
    goOnIfArmed()
  }

  mutating func remove(_ range: Range<Int>) {
    var rest = tree
    if range.count == 1 {
      _ = rest.remove(at: range.lowerBound)
    } else {
      rest.remove(range)
    }
    remove(range, leaving: rest)
  }

  /// The same where `rest` is the list without them, made before.
  mutating func remove(_ range: Range<Int>, leaving rest: PlaylistTree) {
    let index = current.flatMap { tree.index(of: $0.id) }
    let looped = loop.flatMap { tree.index(of: $0.id) }
    tree = rest
    changed(.removed(range))
    if let looped, range.contains(looped) { loop = nil }
    if case .ended(let gap) = cursor {
      cursor = .ended(gap: gap - range.clamped(to: 0..<gap).count)
    }
    if let index, range.contains(index) { succeed(at: range.lowerBound) }
  }

  /// The current item has gone; what comes next from the place before `index` takes over at once.
  private mutating func succeed(at index: Int) {
    guard let old = current else { return }
    let removal = Removal(occurrence: old, generation: generation)
    if let next = order.next(from: index, pass: old.pass) {
      // What nobody has taken up yet need not be given back.
      let first = start.removal
      begin(next)
      start.come(from: removal, behind: first)
    } else {
      endBehindAll()
    }
  }

  mutating func move(from source: Int, to destination: Int) {
    // The list is set once: one in between would be sent to be freed.
    var new = tree
    new.insert(new.remove(at: source), at: destination)
    tree = new
    changed(.moved(from: source, to: destination))
  }

  mutating func move(
    _ id: PlaylistItem.ID, to place: PlaylistPlace
  ) throws(PlaylistError) {
    var new = tree
    let (source, destination) = try new.move(id, to: place)
    guard source != destination else { return }
    tree = new
    changed(.moved(from: source, to: destination))
  }

  /// The list after several edits of the present one.
  mutating func take(_ edited: EditedTree) {
    let steps = edited.steps
    guard !steps.isEmpty else { return }
    let index = current.flatMap { tree.index(of: $0.id) }
    tree = edited.tree
    list.changed(steps)
    if let loop, tree.index(of: loop.id) == nil { self.loop = nil }
    switch cursor {
    case .stopped: break
    case .ended(let gap):
      cursor = .ended(gap: edited.place(of: gap, isReversed: isReversed))
      goOnIfArmed()
    case .at(let occurrence):
      guard let index, tree.index(of: occurrence.id) == nil else { break }
      succeed(at: edited.place(of: index, isReversed: isReversed))
    }
  }

  mutating func replace(at index: Int, with item: PlaylistItem) {
    var new = tree
    let old = new.remove(at: index)
    new.insert(item, at: index)
    tree = new
    changed(.removed(index..<(index + 1)), .inserted(index..<(index + 1)))
    if loop?.id == old.id { loop = nil }
    if current?.id == old.id { succeed(at: isReversed ? index + 1 : index) }
  }

  /// Another list: the current item goes on if it is in it, else its first one takes over, or the last
  /// one backwards.
  mutating func replaceAll(with new: PlaylistTree) {
    take(new)
    switch cursor {
    case .stopped: break
    case .ended:
      cursor = .ended(gap: isReversed ? tree.count : 0)
      goOnIfArmed()
    case .at(let occurrence):
      if tree.index(of: occurrence.id) == nil { succeed(at: isReversed ? tree.count : 0) }
    }
  }

  mutating func take(_ new: PlaylistTree) {
    changed(.removed(0..<tree.count), .inserted(0..<new.count))
    tree = new
    list.original = nil
    if let loop, tree.index(of: loop.id) == nil { self.loop = nil }
  }

  /// The same items in another order.
  mutating func reorder(_ new: PlaylistTree, original: PlaylistItems?) {
    tree = new
    changed(.reordered)
    list.original = original
  }
}
