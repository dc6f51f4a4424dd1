// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Modes of playing that clients set.
struct PlayModes: Hashable, Sendable {
  var repeats = false
  var isRandom = false
  var single = OneShot.off
  var consume = OneShot.off
  /// Seconds by which songs overlap; 0 for none.
  var crossfade = 0
  /// Decibels and seconds of MixRamp, which are kept and told.
  var mixRampDecibels = 0.0
  var mixRampDelay = Double.nan
  /// Gains by the loudness of songs: off, track, album or auto.
  var replayGain = LoudnessNormalization.Mode.off

  /// The engine's rule for what follows.
  var repeatMode: RepeatMode {
    guard repeats else { return .off }
    return single == .off ? .all : .one
  }

  /// True where playing ends behind each song.
  var stopsAfterEach: Bool { single != .off && !repeats }
}
