// SPDX-License-Identifier: Apache-2.0

/// A reading of a synchronizer's clock at one moment.
///
/// Its ticks are those of the timeline, which always runs forward; backwards, media time is its
/// negative.
package struct ClockReading {
  /// Place that is heard.
  package var ticks: Int64
  /// Counts jumps and turns of media time: equal for readings between which there was none.
  package var traversal: Int
  /// The tick at which this traversal began, or one of it from which on nothing has been told yet.
  var traversalStart: Int64
  /// Seconds of media time that pass in a second of the device, in whichever direction; 0 while it
  /// holds.
  var speed: Double
  /// Media time goes backwards.
  var isReversed = false
  /// The tick behind which there is nothing to hear, once that is known.
  var end: Int64?
  /// A jump, start, stop or change of the rate that is on its way to the listener is heard at this host time.
  var changesAt: UInt64?
  /// The traversal of what is heard last of all that is on its way; nil where nothing is.
  var lastTraversal: Int?

  /// True while media time passes.
  var isRunning: Bool { speed != 0 }

  /// Seconds of media time that pass in a second of the device, negative backwards.
  var rate: Double { isReversed ? -speed : speed }

  /// Place that is heard, in ticks of media time.
  var mediaTicks: Int64 { mediaTicks(of: ticks) }

  /// A tick of the timeline as one of media time, or the other way round.
  func mediaTicks(of ticks: Int64) -> Int64 { isReversed ? -ticks : ticks }
}

/// The clock that readings are taken of.
protocol ClockSource: AnyObject {
  func reading() -> ClockReading
  /// The host time in nanoseconds at which tick `ticks` of the timeline is heard if nothing changes;
  /// nil while it does not run there.
  func hostTime(ofTicks ticks: Int64) -> UInt64?
}
