// SPDX-License-Identifier: Apache-2.0

public import MediaTime

extension SampleBufferPlayer {
  /// Shortening of silences in what is played; nil for none, the default.
  ///
  /// The middle of a silence is left out of the timeline. `currentTime`, seeks, chapters, bookmarks and the sleep timer mean the item's
  /// own time as before, to the frame: it jumps where something is left out. So it does at every rate, backwards, and behind
  /// every edit. The silence of `gap` is not shortened, nor are frames in which items overlap, or may. Effects hear what is
  /// left.
  ///
  /// A change is heard as `readAgain()` is, at the next frame that can still be replaced.
  public var silenceSkipping: SilenceSkipping? {
    get { playlist.queue.snapshot.silenceSkipping }
    set {
      let isNew = playlist.queue.update { state in
        defer { state.silenceSkipping = newValue }
        return state.silenceSkipping != newValue
      }
      if isNew { serializer.readAgain() }
    }
  }

  /// Length of the silence that has been left out of what was heard, by the clock, since the player began; in the time of the
  /// items.
  ///
  /// `PlaybackEvent.silenceSkipped` tells of it.
  public var skippedSilence: MediaTime { MediaTime(serializer.skippedSilence) }
}
