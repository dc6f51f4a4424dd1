// SPDX-License-Identifier: Apache-2.0

/// Frame by frame what a list that is edited while it plays sounds like: an independent statement of the rules.
struct CrossfadeSimulation {
  struct Item: Hashable {
    let number: Int
    let length: Int
  }

  /// The item that ends while the current one begins.
  private struct Entry {
    let item: Item
    /// Its frame at the current item's first one.
    let first: Int
    let overlap: Int
  }

  /// How the current item ends.
  private struct Exit {
    let next: Item?
    let overlap: Int
  }

  var items: [Item]
  let wanted: Int
  private(set) var current = 0
  /// The frame of the current item that is heard next.
  private(set) var position = 0
  private var entry: Entry?
  private var exit: Exit?
  private(set) var isOver = false

  init(_ items: [Item], wanted: Int) { (self.items, self.wanted) = (items, wanted) }

  private var item: Item { items[current] }
  private var next: Item? { current + 1 < items.count ? items[current + 1] : nil }

  /// Begins the item at `index` at `position`, alone.
  mutating func start(_ index: Int, at position: Int = 0) {
    (current, self.position, entry, exit) = (index, min(position, items[index].length), nil, nil)
  }

  /// The list is another one, in which the current item is at `index`.
  mutating func edit(_ items: [Item], current index: Int) {
    (self.items, current) = (items, index)
    if exit?.next != next { exit = nil }
  }

  /// The next frame; nil behind the last one.
  mutating func pull() -> Double? {
    moveOn()
    guard !isOver else { return nil }
    var value = CrossfadePlayback.sample(item.number, position)
    if let entry, position < entry.overlap {
      let progress = Double(position) / Double(entry.overlap)
      value = value * progress
      value += CrossfadePlayback.sample(entry.item.number, entry.first + position) * (1 - progress)
    }
    if let exit, let next = exit.next, exit.overlap > 0 {
      let n = position - (item.length - exit.overlap)
      if n >= 0 {
        let progress = Double(n) / Double(exit.overlap)
        value = value * (1 - progress) + CrossfadePlayback.sample(next.number, n) * progress
      }
    }
    position += 1
    return value
  }

  /// True where the next frame is one of another item, or there is none: the current item is either of the two by then.
  var isAtJoint: Bool {
    var next = self
    next.moveOn()
    return next.isOver || next.current != current
  }

  private mutating func moveOn() {
    while !isOver {
      let behind = entry?.overlap ?? 0
      if exit == nil, position >= max(item.length - wanted, behind) {
        let room = next.map { current + 2 < items.count ? $0.length / 2 : $0.length } ?? 0
        let overlap = min(wanted, item.length - max(position, behind), room)
        exit = Exit(next: next, overlap: overlap < 2 ? 0 : overlap)
      }
      let overlap = exit?.overlap ?? 0
      guard position >= item.length - overlap / 2 else { return }
      guard next != nil else {
        isOver = true
        return
      }
      entry =
        overlap > 0 ? Entry(item: item, first: item.length - overlap, overlap: overlap) : nil
      (current, position, exit) = (current + 1, overlap - overlap / 2, nil)
    }
  }
}
