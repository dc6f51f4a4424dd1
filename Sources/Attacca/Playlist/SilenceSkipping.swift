// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Preconditions

/// Shortening of silences: what is silent for long is heard in part.
///
/// A silence is a run of frames none of whose samples is louder than `threshold`. One that lasts `minimumDuration` or
/// longer keeps half of that at either end, and `retainedFraction` of what is between, `maximumRetained` altogether.
/// What is kept fades to `retainedVolume`, so that the joint is not heard. The defaults, and to the frame what they keep, are
/// those of Media3's `SilenceSkippingAudioProcessor`.
public struct SilenceSkipping: Hashable, Sendable {
  /// Greatest magnitude of a silent sample, 0 to 1; full scale is 1.
  public let threshold: Float
  /// Length of the shortest silence that is shortened.
  public let minimumDuration: MediaTime
  /// Fraction that is kept of the middle of a silence, 0 to 1.
  public let retainedFraction: Float
  /// Length that is kept of a silence at most.
  public let maximumRetained: MediaTime
  /// Factor of the volume in the middle of what is kept, 0 to 1.
  public let retainedVolume: Float

  /// The shortening of silences with Media3's numbers where no others are given.
  ///
  /// - Precondition: `threshold`, `retainedFraction` and `retainedVolume` are in 0...1, the times numeric, not
  ///   negative and an hour at most.
  public init(
    threshold: Float = 1_024 / 32_768,
    minimumDuration: MediaTime = MediaTime(value: 25, timescale: 1_000),
    retainedFraction: Float = 0.2,
    maximumRetained: MediaTime = MediaTime(value: 2, timescale: 1),
    retainedVolume: Float = 0.1
  ) {
    for (name, value) in [
      ("threshold", threshold), ("retained fraction", retainedFraction),
      ("retained volume", retainedVolume),
    ] { require((0...1).contains(value), "a \(name) of \(value); 0 to 1 are permitted") }
    for (name, time) in [
      ("minimum duration", minimumDuration), ("maximum that is retained", maximumRetained),
    ] {
      require(
        time.isNumeric && time >= .zero && time <= MediaTime(value: 3_600, timescale: 1),
        "a \(name) of \(time); zero to 3,600 s are permitted")
    }
    (self.threshold, self.minimumDuration) = (threshold, minimumDuration)
    (self.retainedFraction, self.maximumRetained) = (retainedFraction, maximumRetained)
    self.retainedVolume = retainedVolume
  }
}
