// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// The clock of an output: which stream frame is heard when.
///
/// Outputs of one device have the same one. Read from any thread; neither locks nor allocates. Host times are in nanoseconds.
package protocol OutputClock: AnyObject, Sendable {
  /// The frame being heard at a host time.
  func heardFrame(atHostTime hostTime: UInt64) -> StreamFrame

  /// The frame that will be heard, or was, at a host time if nothing changes; nil where the clock
  /// does not know.
  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame?

  /// The host time at which `frame` is heard if nothing changes; nil while stopped.
  func hostTime(ofFrame frame: StreamFrame) -> UInt64?

  /// True where `expectedFrame` does not get better with time.
  var isExact: Bool { get }

  /// By how many parts in a million the device is faster than the host's clock; nil where unknown.
  var drift: Double? { get }
}
