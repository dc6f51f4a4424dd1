// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import SampleBuffers

/// A parametric equalizer: bands one behind the other, the same for all channels.
///
/// Each band is a biquad by the formulas of Robert Bristow-Johnson's Audio EQ Cookbook. It is calculated in 64
/// bits, and rounded once behind the last band. It delays nothing.
public struct EqualizerEffect: AudioEffect, Hashable {
  /// A part of the spectrum, and what becomes of it.
  public struct Band: Hashable, Sendable {
    /// Form of the frequency response.
    public enum Shape: Hashable, Sendable, CaseIterable {
      /// Frequencies around that of the band.
      case peaking
      /// Frequencies below that of the band, at which half of the gain in decibels is reached.
      case lowShelf
      /// Frequencies above that of the band, at which half of the gain in decibels is reached.
      case highShelf
      /// Passes what is below the frequency, and falls by 12 dB an octave above it.
      case lowPass
      /// Passes what is above the frequency, and falls by 12 dB an octave below it.
      case highPass
    }

    /// Form of the frequency response.
    public var shape: Shape
    /// Hertz, of what is heard: another speed does not move it.
    public var frequency: Double
    /// Decibels; of no meaning for `lowPass` and `highPass`.
    public var gain: Double
    /// Quality of the filter: great for a narrow peak, √½ for passes and shelves without one.
    public var q: Double

    /// - Precondition: the frequency is more than 0, `q` in 0.01...100, the gain in -120...120.
    public init(
      _ shape: Shape, frequency: Double, gain: Double = 0, q: Double = 0.5.squareRoot()
    ) {
      require(
        frequency > 0 && frequency.isFinite,
        "a band at \(frequency) Hz; more than 0 is permitted")
      require((0.01...100).contains(q), "a band with a Q of \(q); 0.01...100 are permitted")
      require(
        (-120...120).contains(gain), "a band with a gain of \(gain) dB; -120...120 are permitted")
      (self.shape, self.frequency, self.gain, self.q) = (shape, frequency, gain, q)
    }
  }

  /// The bands, in the order in which they process.
  public var bands: [Band]

  /// An equalizer of `bands`; one whose frequency is not below half of the device's rate is left out.
  public init(_ bands: [Band]) { self.bands = bands }

  /// A processor of the bands; its tail and history are what they take to fall by 100 dB, a second at most.
  public func makeProcessor(
    for format: AudioFormat, maximumFrames: Int
  ) -> any AudioEffectProcessor {
    Equalizer(
      bands.compactMap { Biquad($0, sampleRate: format.sampleRate) }, format: format)
  }
}
