// SPDX-License-Identifier: Apache-2.0

extension SampleBufferPlayer {
  /// Gains that bring items to one loudness by the tags of their files; off by default.
  ///
  /// A change is heard as that of an item's gain is: the factor goes in a straight line to the new one over 5 ms,
  /// from the frame on at which any edit would be heard. An item's tags are those that its file had when it was opened.
  public var loudnessNormalization: LoudnessNormalization {
    get { playlist.queue.snapshot.normalization }
    set {
      playlist.queue.edit { state, _ in
        state.normalization = newValue
        return []
      }
    }
  }

  /// Decibels that `loudnessNormalization` adds to the gain of what is heard now; 0 when stopped.
  public var currentLoudnessGain: Float {
    currentSpan.map { playlist.queue.snapshot.order.loudnessGain(of: $0.item) } ?? 0
  }
}
