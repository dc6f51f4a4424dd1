// SPDX-License-Identifier: Apache-2.0

import Rendering

/// The volume of one playing of an item.
struct ItemVolume: Hashable, Sendable {
  /// Decibels by which it is louder than its source.
  var gain: Float = 0
  /// Its volume as a function of its offset.
  var automation = VolumeAutomation()

  /// True for a gain of 0 dB without an automation: frames are heard as the source has them.
  var isUnity: Bool { gain == 0 && automation.isEmpty }
}
