// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import MediaTime

// Where playing is, and what follows.
extension SampleBufferPlayer {
  // MARK: Skips

  /// Goes to the next item, whatever repeats, keeping the rate; behind the last one it ends, or goes
  /// to the first one if all are repeated.
  ///
  /// Backwards it is the next item of the list too, from its end.
  @discardableResult
  public func next() -> Edit { begin { state, _ in state.skip() } }

  /// Goes back to the start of the item, or, within its first 3 seconds, to the item before;
  /// backwards always to the item before, from its end.
  @discardableResult
  public func previous() -> Edit { begin { state, hearing in state.goBack(hearing: hearing) } }

  /// Goes to `offset` in the item at `index`; from stopped it becomes paused there.
  ///
  /// No offset is the item's beginning, and its end at a negative rate; one that is invalid or
  /// indefinite is refused, as by `seek(to:)`.
  ///
  /// - Precondition: `index` is in 0..<count.
  @discardableResult
  public func jump(to index: Int, offset: MediaTime? = nil) -> Edit {
    begin { state, _ in
      let count = state.tree.count
      require((0..<count).contains(index), "a jump to \(index); 0..<\(count) are permitted")
      guard let offset else { return state.jump(to: index) }
      guard let offset = SampleBufferSerializer.offset(offset) else { return }
      state.jump(to: index, offset: offset)
    }
  }

  /// Goes to `offset` in an item; from stopped it becomes paused there.
  ///
  /// No offset is the item's beginning, and its end at a negative rate; one that is invalid or
  /// indefinite is refused, as by `seek(to:)`.
  ///
  /// - Throws: `PlaylistError` when it is not in the playlist.
  @discardableResult
  public func seek(
    to id: PlaylistItem.ID, offset: MediaTime? = nil
  ) throws(PlaylistError) -> Edit {
    try playlist.queue.edit { state, _ throws(PlaylistError) in
      guard let index = state.tree.index(of: id) else { throw PlaylistError(id: id, call: "seek") }
      guard let offset else {
        state.jump(to: index)
        return [id]
      }
      guard let offset = SampleBufferSerializer.offset(offset) else { return [] }
      state.jump(to: index, offset: offset)
      return [id]
    }
  }

  /// The identities are those that have become current.
  private func begin(_ body: (inout QueueState, HeardPosition?) -> Void) -> Edit {
    playlist.queue.edit { state, hearing in
      let generation = state.generation
      body(&state, hearing)
      return state.generation == generation ? [] : state.current.map { [$0.id] } ?? []
    }
  }

  // MARK: Seeks

  /// Goes to `offset` in the current item, exact to the frame; one past its end is its end.
  ///
  /// Of several in a row the last one counts. Paused, it is prepared and spliced in, and nothing is
  /// heard. Positive infinity is the item's end, negative infinity its beginning; an offset that is
  /// invalid or indefinite is refused: nothing happens, and no item has become current.
  @discardableResult
  public func seek(to offset: MediaTime) -> Edit {
    begin { state, _ in
      if let offset = SampleBufferSerializer.offset(offset) { state.seek(to: offset) }
    }
  }

  /// Goes to `offset` in the current item, as `seek(to:)` does, and waits until its first frame is
  /// heard; paused, until it is what will be heard next.
  ///
  /// The corresponding call is `AVPlayer.seek(to:) async`.
  ///
  /// - Returns: false when something else was asked for before, when nothing is current, when the
  ///   item cannot be played there, when the offset is refused, or when the task was cancelled.
  public func seekAndWait(to offset: MediaTime) async -> Bool {
    guard let offset = SampleBufferSerializer.offset(offset) else { return false }
    return await playlist.queue.begin { state, _ in state.seek(to: offset) }
  }

  /// Goes `distance` on, or back, in the current item: from where it was asked to be, until that is
  /// heard.
  ///
  /// An infinite distance leads to the item's end or its beginning; one that is invalid or indefinite
  /// is refused, as by `seek(to:)`.
  @discardableResult
  public func seek(by distance: MediaTime) -> Edit {
    begin { state, hearing in
      if let distance = SampleBufferSerializer.distance(distance) {
        state.seek(by: distance, hearing: hearing)
      }
    }
  }

  /// Goes `distance` on, or back, in the current item, as `seek(by:)` does, and waits until the first
  /// frame is heard; paused, until it is what will be heard next.
  ///
  /// - Returns: as `seekAndWait(to:)`.
  public func seekAndWait(by distance: MediaTime) async -> Bool {
    guard let distance = SampleBufferSerializer.distance(distance) else { return false }
    return await playlist.queue.begin { state, hearing in
      state.seek(by: distance, hearing: hearing)
    }
  }

  /// `seekAndWait(to:)` under its old name, which the call that does not wait has too.
  @available(*, deprecated, renamed: "seekAndWait(to:)")
  public func seek(to offset: MediaTime) async -> Bool { await seekAndWait(to: offset) }

  /// `seekAndWait(by:)` under its old name, which the call that does not wait has too.
  @available(*, deprecated, renamed: "seekAndWait(by:)")
  public func seek(by distance: MediaTime) async -> Bool { await seekAndWait(by: distance) }

  // MARK: What follows

  /// The rule for what follows an item, and the last one.
  public var repeatMode: RepeatMode { playlist.queue.snapshot.repeatMode }

  /// Sets what follows an item, and the last one.
  @discardableResult
  public func setRepeatMode(_ mode: RepeatMode) -> Edit {
    begin { state, _ in state.setRepeatMode(mode) }
  }

  /// The part that is played over and over; nil for none.
  public var loop: ItemLoop? { playlist.queue.snapshot.loop }

  /// Has the current item go from offset `end` to offset `start` for ever, without a gap or a fade;
  /// behind `end` already, it goes to `start` at once.
  ///
  /// Nothing happens where nothing is current. Other items are played as they are; the loop ends
  /// with `endLoop`, or when the item is removed. A loop is a millisecond long at least, and `end`
  /// later for a shorter one: each time round is decoded anew. Backwards it goes from `end` down to
  /// `start`, and from there to `end` again.
  ///
  /// - Precondition: both are numeric, and 0 <= `start` < `end`.
  @discardableResult
  public func setLoop(from start: MediaTime, to end: MediaTime) -> Edit {
    require(
      start.isNumeric && end.isNumeric && start >= .zero && start < end,
      "a loop from \(start) to \(end); numbers from 0 on are permitted, the end later than the start"
    )
    let from = RationalTime(start)
    let to = max(RationalTime(end), from + ItemLoop.shortest)
    return begin { state, hearing in state.setLoop(from: from, to: to, hearing: hearing) }
  }

  /// Plays on behind the loop.
  @discardableResult
  public func endLoop() -> Edit { begin { state, _ in state.endLoop() } }

  /// True where playing ends with the current item.
  public var stopsAfterCurrent: Bool { playlist.queue.snapshot.stopsAfterCurrent }

  /// Ends playing behind the current item, once; `play()` goes on with the next one then.
  @discardableResult
  public func stopAfterCurrent(_ stops: Bool = true) -> Edit {
    begin { state, _ in state.setStopsAfterCurrent(stops) }
  }
}
