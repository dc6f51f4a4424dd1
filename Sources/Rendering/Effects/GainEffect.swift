// SPDX-License-Identifier: Apache-2.0

public import SampleBuffers

/// A gain for all channels.
public struct GainEffect: AudioEffect, Hashable {
  /// Decibels by which the sound becomes louder; 0 changes no bit.
  public var gain: Float

  /// A gain of `gain` decibels.
  public init(_ gain: Float) { self.gain = gain }

  /// A processor that multiplies by the factor of the gain.
  public func makeProcessor(
    for format: AudioFormat, maximumFrames: Int
  ) -> any AudioEffectProcessor {
    ChannelFactors([Float](repeating: Decibels.factor(gain), count: format.channelCount))
  }
}
