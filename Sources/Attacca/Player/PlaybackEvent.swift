// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// What a listener would notice, in the order in which it happens.
public enum PlaybackEvent: Sendable {
  /// Another item is heard now; nil after the last one.
  case currentItemDidChange(PlaylistItem?)
  /// The rate is another now, whoever changed it.
  case rateDidChange(Double)
  /// The last frame of an item has been heard.
  case itemDidFinish(PlaylistItem)
  /// An item cannot be played, or not to its end; the next one follows what was played of it.
  case itemDidFail(PlaylistItem, any Error)
  /// The device ran out of frames; `at` is heard as soon as there are more.
  case underrun(at: MediaTime)
  /// The output changed by itself.
  case outputDidChange
  /// The last frame of the last item has been heard.
  case endOfQueue
  /// Where the playhead is in the current item, at the player's `progressInterval`.
  case progress(offset: MediaTime)
  /// Playing is over for good.
  case failed(any Error)

  /// Whether `next` says all that `self` does.
  func isSuperseded(by next: PlaybackEvent) -> Bool {
    switch (self, next) {
    case (.progress, .progress), (.underrun, .underrun), (.outputDidChange, .outputDidChange): true
    default: false
    }
  }
}
