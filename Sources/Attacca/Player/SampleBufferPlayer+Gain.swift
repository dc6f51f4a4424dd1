// SPDX-License-Identifier: Apache-2.0

extension SampleBufferPlayer {
  /// Decibels by which what is heard now is louder than its source: those of this playing of the item, where
  /// it has its own, or the item's; 0 when stopped.
  public var currentGain: Float {
    guard let span = currentSpan else { return 0 }
    return playlist.queue.snapshot.gain(of: span.range.occurrence) ?? span.item.gain
  }

  /// Sets the decibels by which the current item is louder than its source, for the present playing of it.
  ///
  /// Repeated, or played again later, the item has its own gain. Seeks within it leave this one alone. The
  /// change is heard as that of `Playlist.setGain(_:of:)`, which ends it. Nothing happens where nothing is
  /// current.
  ///
  /// - Precondition: `gain` is in -120...40.
  @discardableResult
  public func setCurrentGain(_ gain: Float) -> Edit {
    PlaylistItem.check(gain: gain)
    return playlist.queue.edit { state, _ in
      state.setCurrentGain(gain)
      return state.current.map { [$0.id] } ?? []
    }
  }
}
