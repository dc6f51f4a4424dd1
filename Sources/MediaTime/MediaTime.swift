// SPDX-License-Identifier: Apache-2.0

/// An exact rational time, with CMTime's semantics.
public struct MediaTime: Sendable {
  /// The number of `timescale` units.
  public var value: Int64
  /// Units per second.
  public var timescale: Int32

  /// `value` / `timescale` seconds.
  public init(value: Int64, timescale: Int32) {
    self.value = value
    self.timescale = timescale
  }
}
