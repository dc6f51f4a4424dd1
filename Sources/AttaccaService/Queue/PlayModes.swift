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
  /// Decibels at which MixRamp has songs overlap, which are kept and told.
  var mixRampDecibels = 0.0
  /// Seconds of silence that MixRamp takes away; nil for no MixRamp.
  var mixRampDelay: Double?
  /// Gains by the loudness of songs: off, track, album or auto.
  var replayGain = LoudnessNormalization.Mode.off
  /// Speed, 1 being the natural one; negative ones play backwards.
  var speed = 1.0
  /// Speeds that are permitted, either way.
  static let speeds = 0.03...32
  /// True where silences are shortened.
  var skipsSilence = false

  /// Seconds of an overlap, at most.
  static let longestCrossfade = 3_600

  /// The permitted overlap that is nearest to a number of seconds.
  static func nearestCrossfade(to seconds: Int) -> Int { min(max(seconds, 0), longestCrossfade) }

  /// The engine's rule for what follows.
  var repeatMode: RepeatMode {
    guard repeats else { return .off }
    return single == .off ? .all : .one
  }

  /// True where playing ends behind each song.
  var stopsAfterEach: Bool { single != .off && !repeats }
}
