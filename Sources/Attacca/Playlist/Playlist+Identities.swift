// SPDX-License-Identifier: Apache-2.0

// Edits that name items by identity, so that no other thread's edit can make them another item's, and
// several edits as one.
extension Playlist {
  /// Adds an item in front of the one with identity `id`.
  ///
  /// - Precondition: the item is not in the playlist.
  /// - Throws: `PlaylistError` when that is not here.
  @discardableResult
  public func insert(
    _ item: PlaylistItem, before id: PlaylistItem.ID
  ) throws(PlaylistError) -> Edit {
    try insert(item, at: .before(id))
  }

  /// Adds an item at `place`.
  ///
  /// - Precondition: the item is not in the playlist.
  /// - Throws: `PlaylistError` when the item that `place` names is not here.
  @discardableResult
  public func insert(
    _ item: PlaylistItem, at place: PlaylistPlace
  ) throws(PlaylistError) -> Edit {
    try queue.edit { state, _ throws(PlaylistError) in
      state.insert(item, at: try state.tree.index(of: place, for: "insert"))
      return [item.id]
    }
  }

  /// Adds items at `place`, in their order; O(n), of which the semaphore is held for O(log n).
  ///
  /// - Precondition: no item occurs twice or is in the playlist.
  /// - Throws: `PlaylistError` when the item that `place` names is not here.
  @discardableResult
  public func insert(
    contentsOf items: some Collection<PlaylistItem>, at place: PlaylistPlace
  ) throws(PlaylistError) -> Edit {
    var edits = PlaylistEdits()
    edits.insert(contentsOf: items, at: place)
    return try apply(edits)
  }

  /// Moves the item with identity `id`; nothing is moved by a place beside itself.
  ///
  /// - Throws: `PlaylistError` when it is not here, or the item that `place` names.
  @discardableResult
  public func move(
    _ id: PlaylistItem.ID, to place: PlaylistPlace
  ) throws(PlaylistError) -> Edit {
    try queue.edit { state, _ throws(PlaylistError) in
      try state.move(id, to: place)
      return [id]
    }
  }

  /// Puts another item in the place of the one with identity `id`.
  ///
  /// - Returns: the old item and the new one.
  /// - Precondition: the new item is not in the playlist.
  /// - Throws: `PlaylistError` when the old one is not here.
  @discardableResult
  public func replace(
    _ id: PlaylistItem.ID, with item: PlaylistItem
  ) throws(PlaylistError) -> Edit {
    try queue.edit { state, _ throws(PlaylistError) in
      state.replace(at: try state.tree.index(of: id, for: "replace"), with: item)
      return [id, item.id]
    }
  }

  /// Carries out several edits as one: no other operation comes between them, nothing is heard between
  /// them, and they have one serial number and one difference.
  ///
  /// `note` is called once, at once, and holds nobody up: it notes the edits, which then take effect.
  ///
  ///     try playlist.edit { edits in
  ///       edits.move(encore.id, to: .last)
  ///       edits.insert(announcement, at: .before(encore.id))
  ///     }
  ///
  /// - Returns: as `apply`.
  /// - Precondition: no item that is put in is in the playlist at that point.
  /// - Throws: `PlaylistError` when an item that is named is not here; then nothing has been done.
  @discardableResult
  public func edit(_ note: (inout PlaylistEdits) -> Void) throws(PlaylistError) -> Edit {
    var edits = PlaylistEdits()
    note(&edits)
    return try apply(edits)
  }

  /// Carries out several edits as one; O(log n) for each, of which the semaphore is held for O(log n)
  /// in all.
  ///
  /// A current item that is here afterwards plays on, wherever it is. In the place of one that has gone
  /// comes what is now behind the last item in front of it that was neither moved nor taken out:
  /// whatever was put in there, or what followed.
  ///
  /// - Returns: the items of the edits, in the order of those.
  /// - Precondition: no item that is put in is in the playlist at that point.
  /// - Throws: `PlaylistError` when an item that is named is not here at that point; then nothing has
  ///   been done.
  @discardableResult
  public func apply(_ edits: PlaylistEdits) throws(PlaylistError) -> Edit {
    try queue.rebuild { state throws(PlaylistError) in
      try EditedTree(edits, on: state.tree)
    } _: { state, edited in
      state.take(edited)
      return edited.identities
    }
  }
}
