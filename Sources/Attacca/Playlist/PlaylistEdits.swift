// SPDX-License-Identifier: Apache-2.0

/// Edits of a playlist that take effect as one, in the order in which they were noted here.
///
/// They name items by identity: indices may be others' by the time they take effect. `Playlist.apply`
/// carries them out.
public struct PlaylistEdits: Sendable {
  /// One of them.
  enum Step: Sendable {
    case insert([PlaylistItem], PlaylistPlace)
    case remove(PlaylistItem.ID)
    case move(PlaylistItem.ID, PlaylistPlace)
    case replace(PlaylistItem.ID, PlaylistItem)
  }

  private(set) var steps: [Step] = []

  /// No edits.
  public init() {}

  /// Adds an item.
  public mutating func insert(_ item: PlaylistItem, at place: PlaylistPlace) {
    steps.append(.insert([item], place))
  }

  /// Adds items, in their order.
  public mutating func insert(
    contentsOf items: some Sequence<PlaylistItem>, at place: PlaylistPlace
  ) {
    steps.append(.insert(Array(items), place))
  }

  /// Adds an item at the end.
  public mutating func append(_ item: PlaylistItem) { insert(item, at: .last) }

  /// Removes the item with identity `id`.
  public mutating func remove(_ id: PlaylistItem.ID) { steps.append(.remove(id)) }

  /// Moves the item with identity `id`; a place beside itself is where it is.
  public mutating func move(_ id: PlaylistItem.ID, to place: PlaylistPlace) {
    steps.append(.move(id, place))
  }

  /// Puts another item in the place of the one with identity `id`.
  public mutating func replace(_ id: PlaylistItem.ID, with item: PlaylistItem) {
    steps.append(.replace(id, item))
  }
}
