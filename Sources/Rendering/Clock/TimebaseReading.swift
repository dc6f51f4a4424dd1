// SPDX-License-Identifier: Apache-2.0

/// A reading of a timebase at one moment.
struct TimebaseReading {
  /// In `TimeUnits`.
  var time: Int128
  /// Relative to its source.
  var rate: Double
  /// Relative to the clock at the end of the chain.
  var effectiveRate: Double
  /// Counts the jumps of everything it follows, itself included.
  var jumps: Int
  /// A jump or change of rate that is known already comes at this host time.
  var changesAt: UInt64?
}
