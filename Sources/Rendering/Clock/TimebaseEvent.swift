// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// A change of a timebase.
public enum TimebaseEvent: Hashable, Sendable {
  /// It passes at `rate` seconds a second of its ultimate clock from `time` on, which is a time of
  /// the timebase; corresponds to `kCMTimebaseNotification_EffectiveRateChanged`.
  case effectiveRateDidChange(rate: Double, at: MediaTime)
  /// It, or what it follows, was set to another time, or what is heard turned round; corresponds to
  /// `kCMTimebaseNotification_TimeJumped`.
  case timeJumped(to: MediaTime)
}
