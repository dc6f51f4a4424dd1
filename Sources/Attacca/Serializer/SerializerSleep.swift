// SPDX-License-Identifier: Apache-2.0

import Rendering

/// What the serializer holds of the sleep timer.
struct SerializerSleep {
  /// The timer that ends at a moment; nil where none does.
  var alarm: SleepAlarm?
  /// True from the end by the timer until playing stands where it goes on.
  var isFallingAsleep = false
  /// The renderer's automation before the fade of a timer that has ended, until what follows is heard.
  var unfaded: VolumeAutomation?
}
