// SPDX-License-Identifier: Apache-2.0

/// What a synchronizer's clock says at one moment.
struct ClockReading {
  /// What is heard, in ticks of media time.
  var ticks: Int64
  /// Counts jumps of media time: equal for readings between which it did not jump.
  var traversal: Int
  /// The tick at which this traversal began, or one of it from which on nothing has been told yet.
  var traversalStart: Int64
  /// Seconds of media time that pass in a second of the device; 0 while it holds.
  var rate: Double
  /// The tick behind which there is nothing to hear, once that is known.
  var end: Int64?
  /// A jump, start, stop or change of the rate that is on its way to the listener is heard at this host time.
  var changesAt: UInt64?

  /// Whether media time passes.
  var isRunning: Bool { rate != 0 }
}

/// Who knows what is heard.
protocol ClockSource: AnyObject {
  func reading() -> ClockReading
  /// The host time in nanoseconds at which `ticks` is heard if nothing changes; nil while it does
  /// not run there.
  func hostTime(ofTicks ticks: Int64) -> UInt64?
}
