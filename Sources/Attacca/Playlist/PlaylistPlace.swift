// SPDX-License-Identifier: Apache-2.0

/// A place in a playlist, told by what is there whatever its index.
public enum PlaylistPlace: Hashable, Sendable {
  /// In front of all items.
  case first
  /// Behind all items.
  case last
  /// In front of the item with an identity.
  case before(PlaylistItem.ID)
  /// Behind the item with an identity.
  case after(PlaylistItem.ID)
}

extension PlaylistTree {
  /// The index of `place`, in 0...count.
  ///
  /// - Throws: `PlaylistError` when the item that it names is not here; `call` is what asked.
  func index(of place: PlaylistPlace, for call: String) throws(PlaylistError) -> Int {
    switch place {
    case .first: 0
    case .last: count
    case .before(let id): try index(of: id, for: call)
    case .after(let id): try index(of: id, for: call) + 1
    }
  }

  /// The index of the item with identity `id`.
  ///
  /// - Throws: `PlaylistError` when it is not here; `call` is what asked.
  func index(of id: PlaylistItem.ID, for call: String) throws(PlaylistError) -> Int {
    guard let index = index(of: id) else { throw PlaylistError(id: id, call: call) }
    return index
  }

  /// Moves the item with identity `id`; a place beside itself is where it is.
  ///
  /// - Returns: its index before and now.
  mutating func move(
    _ id: PlaylistItem.ID, to place: PlaylistPlace
  ) throws(PlaylistError) -> (source: Int, destination: Int) {
    let source = try index(of: id, for: "move")
    let index = try index(of: place, for: "move")
    let destination = index > source ? index - 1 : index
    if place == .before(id) || place == .after(id) || source == destination {
      return (source, source)
    }
    insert(remove(at: source), at: destination)
    return (source, destination)
  }
}
