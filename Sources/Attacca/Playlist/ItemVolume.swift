// SPDX-License-Identifier: Apache-2.0

/// How loud one playing of an item is.
struct ItemVolume: Hashable, Sendable {
  /// Decibels by which it is louder than its source.
  var gain: Float = 0
  /// Its volume as a function of its offset.
  var automation = VolumeAutomation()

  /// Whether it is as loud as its source throughout.
  var isUnity: Bool { gain == 0 && automation.isEmpty }
}
