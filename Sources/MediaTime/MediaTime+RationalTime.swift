// SPDX-License-Identifier: Apache-2.0

import Preconditions

extension MediaTime {
  /// The engine's exact time as a media time.
  ///
  /// Exact if the denominator fits 32 bits and the numerator 64; else the nearest one at
  /// `commonRatesTimescale`, marked as rounded, or an infinity beyond 2^63 seconds.
  public init(_ time: RationalTime) {
    self.init(
      nearest: time.numerator, over: Int128(time.denominator),
      timescale: Int32(exactly: time.denominator) ?? Self.commonRatesTimescale, epoch: 0,
      rounded: false)
  }
}

extension RationalTime {
  /// The exact time in seconds; the epoch is left out.
  ///
  /// - Precondition: `time` is numeric.
  public init(_ time: MediaTime) {
    require(time.isNumeric, "a position of \(time); numbers are permitted")
    self.init(frames: time.value, rate: Int(time.timescale))
  }
}
