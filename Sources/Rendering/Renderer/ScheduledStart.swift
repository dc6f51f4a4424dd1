// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Media time is to run from a host time on.
struct ScheduledStart {
  /// The device is woken so long before, in nanoseconds, that its clock is known by then: it reports
  /// 10, 30, 70, 150 and 310 ms after it was started.
  static let wakeUp: UInt64 = 1_000_000_000
  /// The stream frame is chosen so long before: as late as a busy machine can still be trusted to
  /// write it in time, since the clock is known the better the later.
  static let decision: UInt64 = 120_000_000

  /// Number among the renderer's starts; a wakeup for another one is void.
  let number: Int
  let hostTime: UInt64
  /// Frames of the fade, where it is in the middle of a sound.
  let fade: Int
  /// Up to where the device has been given silence to play until then; nil before it is woken.
  var silentUpTo: StreamFrame?
}
