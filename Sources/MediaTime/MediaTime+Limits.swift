// SPDX-License-Identifier: Apache-2.0

extension MediaTime {
  /// The largest timescale a time can have, `kCMTimeMaxTimescale` in CMTime.h.
  public static let maximumTimescale: Int32 = 0x7fff_ffff

  /// The largest timescale that a sum of two different timescales is given.
  ///
  /// CMTime.h names `kCMTimeMaxTimescale`. Apple's library has been observed to stop at 10^9: by
  /// OpenCoreMedia's tests against it, and by WebKit, which lowered its own limit to agree.
  public static let maximumArithmeticTimescale: Int32 = 1_000_000_000

  /// Multiplication by a float doubles the timescale until it is no less than this (CMTime.h).
  public static let minimumProductTimescale: Int32 = 65_536

  /// A multiple of every common sample rate from 8 to 352.8 kHz, 384 kHz excepted.
  ///
  /// The least common multiple of two divisors divides it too, and it is below
  /// `maximumArithmeticTimescale`: so sums over these rates are exact. An Int64 holds 10,355 years
  /// of it.
  public static let commonRatesTimescale: Int32 = 28_224_000
}
