// SPDX-License-Identifier: Apache-2.0

/// A list with silence between its items, played frame by frame.
struct GapSimulation {
  struct Item: Equatable {
    let number: Int
    let length: Int
    /// Frames of silence in front; nil for the list's.
    let gap: Int?
  }

  var items: [Item]
  var gap: Int
  /// Index of the item that is current.
  var current = 0
  /// The frame that is heard next, or was heard last backwards; negative in the silence in front of the item.
  var offset = 0
  var isReversed = false

  private func gap(before index: Int) -> Int { items[index].gap ?? gap }

  /// Whether the next frame is another item's.
  var isAtJoint: Bool {
    isReversed
      ? offset <= (current > 0 ? -gap(before: current) : 0) : offset >= items[current].length
  }

  var isOver: Bool { isAtJoint && (isReversed ? current == 0 : current + 1 == items.count) }

  /// The next frame; nil at the end.
  mutating func pull() -> Float? {
    while isAtJoint {
      guard !isOver else { return nil }
      if isReversed {
        current -= 1
        offset = items[current].length
      } else {
        current += 1
        offset = -gap(before: current)
      }
    }
    defer { if !isReversed { offset += 1 } }
    if isReversed { offset -= 1 }
    return offset < 0 ? 0 : RampSource.sample(items[current].number, offset)
  }

  /// Puts `list` in the place of the items; the current one is in it.
  mutating func edit(_ list: [Item]) {
    let item = items[current]
    items = list
    current = list.firstIndex(of: item)!
  }

  /// Begins an item at a frame of it.
  mutating func start(_ index: Int, at place: Int) { (current, offset) = (index, place) }
}
