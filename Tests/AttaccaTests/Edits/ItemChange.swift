// SPDX-License-Identifier: Apache-2.0

import Attacca

/// One of several edits that take effect as one, in the model and for a player.
enum ItemChange {
  enum Place {
    case first
    case last
    case before(RampItem)
    case after(RampItem)
  }

  case insert([RampItem], Place)
  case remove(RampItem)
  case move(RampItem, Place)
  case replace(RampItem, RampItem)

  /// Does it to plain items; those that it names and are not there are left alone.
  ///
  /// - Returns: the items that it concerns.
  func apply(to items: inout [RampItem]) -> [RampItem] {
    switch self {
    case .insert(let new, let place):
      guard let index = place.index(in: items) else { return [] }
      items.insert(contentsOf: new, at: index)
      return new
    case .remove(let item):
      guard let index = items.firstIndex(of: item) else { return [] }
      items.remove(at: index)
      return [item]
    case .move(let item, let place):
      guard let source = items.firstIndex(of: item), let index = place.index(in: items) else {
        return []
      }
      let destination = index > source ? index - 1 : index
      guard !place.isBeside(item), destination != source else { return [] }
      items.insert(items.remove(at: source), at: destination)
      return [item]
    case .replace(let old, let new):
      guard let index = items.firstIndex(of: old) else { return [] }
      items[index] = new
      return [old, new]
    }
  }

  /// Notes it for a player whose items are `item` of the model's.
  func note(in edits: inout PlaylistEdits, _ item: (RampItem) -> PlaylistItem) {
    switch self {
    case .insert(let new, let place):
      edits.insert(contentsOf: new.map(item), at: place.place(item))
    case .remove(let old): edits.remove(item(old).id)
    case .move(let moved, let place): edits.move(item(moved).id, to: place.place(item))
    case .replace(let old, let new): edits.replace(item(old).id, with: item(new))
    }
  }
}

extension ItemChange.Place {
  func index(in items: [RampItem]) -> Int? {
    switch self {
    case .first: 0
    case .last: items.count
    case .before(let item): items.firstIndex(of: item)
    case .after(let item): items.firstIndex(of: item).map { $0 + 1 }
    }
  }

  func isBeside(_ other: RampItem) -> Bool {
    switch self {
    case .first, .last: false
    case .before(let item), .after(let item): item == other
    }
  }

  func place(_ item: (RampItem) -> PlaylistItem) -> PlaylistPlace {
    switch self {
    case .first: .first
    case .last: .last
    case .before(let other): .before(item(other).id)
    case .after(let other): .after(item(other).id)
    }
  }
}
