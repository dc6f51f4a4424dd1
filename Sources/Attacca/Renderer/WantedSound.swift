// SPDX-License-Identifier: Apache-2.0

/// Sound that is asked of a renderer; what its line holds may have been made for another one.
struct WantedSound {
  /// How fast media time is to pass; the conversion's pace is how it does in the line.
  var speed = WantedSpeed()
  /// What frames are to go through; the conversion's setting is what those in the line went through.
  var effects = WantedEffects()
  /// How loud it is to be.
  var loudness = WantedLoudness()
}
