// SPDX-License-Identifier: Apache-2.0

/// Settings of a synchronizer that its owner makes, and that every renderer of it takes over.
struct SynchronizerOptions {
  /// True where a start waits until every renderer has enough for it.
  var waitsForSufficientData = true
  /// The course of media time while nothing is enqueued for it.
  var whenDry = DryPolicy.holds
  /// The fades of pause and resume.
  var fade = Fade.standard
  /// True once a player has been here: whoever enqueues can do so backwards.
  var isReversible = false
}
