// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import SampleBuffers

/// A limiter: no sample is beyond the ceiling, and what stays below it is not changed by a bit.
///
/// It looks ahead: before a sample that is too great the gain of all channels goes down in a straight line
/// at most `lookAhead` long, and arrives when the sample does. Behind it the gain comes up again in a straight
/// line, at such a steepness that it would take `release` from nothing to full. Its latency is `lookAhead`.
public struct LimiterEffect: AudioEffect, Hashable {
  /// Decibels of full scale that no sample exceeds.
  public var ceiling: Float
  /// Seconds.
  public var lookAhead: Double
  /// Seconds in which the gain would rise from 0 to 1.
  public var release: Double

  /// - Precondition: `ceiling` is in -60...60, `lookAhead` in 0...0.1, `release` in 0.001...10.
  public init(ceiling: Float = 0, lookAhead: Double = 0.005, release: Double = 0.2) {
    require(
      (-60...60).contains(ceiling), "a ceiling of \(ceiling) dB; -60...60 are permitted")
    require(
      (0...0.1).contains(lookAhead), "a look-ahead of \(lookAhead) s; 0...0.1 are permitted")
    require(
      (0.001...10).contains(release), "a release of \(release) s; 0.001...10 are permitted")
    (self.ceiling, self.lookAhead, self.release) = (ceiling, lookAhead, release)
  }

  /// A processor whose latency is the look-ahead in frames, rounded.
  public func makeProcessor(
    for format: AudioFormat, maximumFrames: Int
  ) -> any AudioEffectProcessor {
    Limiter(
      ceiling: Decibels.factor(ceiling),
      lookAhead: Int((lookAhead * Double(format.sampleRate)).rounded()),
      release: max(1, Int((release * Double(format.sampleRate)).rounded())),
      channelCount: format.channelCount)
  }
}
