// SPDX-License-Identifier: Apache-2.0

/// Sound that is asked of a renderer; what its line holds may have been made for another one.
struct WantedSound {
  /// The speed of media time that is wanted; the conversion's pace is that of the frames in the line.
  var speed = WantedSpeed()
  /// The effects that are wanted; the conversion's setting is that of the frames in the line.
  var effects = WantedEffects()
  /// The volume, mute and automation that are wanted.
  var loudness = WantedLoudness()
}
