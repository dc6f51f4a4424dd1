// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Rendering

/// A sleep timer that ends at a moment, while it is set.
struct SleepAlarm {
  /// Host time of the end.
  let deadline: UInt64
  /// Length of the fade in nanoseconds.
  let fade: UInt64
  /// Place where the fade began; nil before that.
  var faded: HeardPosition?
  /// The automation that the fade is in the place of.
  var automation: VolumeAutomation?
  /// Due at the begin of the fade, then at the end.
  var timer: DispatchWorkItem?
}
