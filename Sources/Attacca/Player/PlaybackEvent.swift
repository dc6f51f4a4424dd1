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
  /// Items cannot be played, or not to their ends; the next one follows what was played of them.
  ///
  /// One failure comes by itself as soon as it is met. Those in a row that a subscriber has not
  /// received yet are one event, in order: 10,000 missing files are few events, not 10,000.
  case itemsDidFail([ItemFailure])
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

  /// More failures than this are more events than one.
  static let mostFailures = 1_024

  /// Says what `next` does too, where that takes no second event.
  ///
  /// - Returns: false, and nothing changed, where it does.
  mutating func absorb(_ next: PlaybackEvent) -> Bool {
    if case .itemsDidFail(let more) = next, case .itemsDidFail(var failures) = self {
      guard failures.count + more.count <= Self.mostFailures else { return false }
      // Lets go of the array: with a second owner each failure would copy those before it.
      self = next
      failures += more
      self = .itemsDidFail(failures)
      return true
    }
    switch (self, next) {
    case (.progress, .progress), (.underrun, .underrun), (.outputDidChange, .outputDidChange):
      self = next
      return true
    default: return false
    }
  }
}
