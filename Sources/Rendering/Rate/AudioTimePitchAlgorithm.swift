// SPDX-License-Identifier: Apache-2.0

import Preconditions
public import SampleBuffers

/// The way in which sound is played faster or slower: with its pitch kept, or not.
///
/// The corresponding AVFoundation type is `AVAudioTimePitchAlgorithm`.
public struct AudioTimePitchAlgorithm: Sendable {
  /// The algorithm's name, by which it is told apart.
  public let name: String
  /// The rates that it is made for; outside of them sound is played as with `varispeed`.
  public let rates: ClosedRange<Double>
  /// nil where pitch follows the rate.
  let makeStretcher: (@Sendable (_ speed: Double, _ format: AudioFormat) -> any TimeStretcher)?

  /// Pitch follows the rate, as with tape; from 1/32 to 32.
  ///
  /// Exact: the sound is converted to the device's rate and the new speed in one step, with the
  /// quality of any other conversion.
  public static let varispeed = AudioTimePitchAlgorithm(
    name: "varispeed", rates: Pace.rates, makeStretcher: nil)

  private init(
    name: String, rates: ClosedRange<Double>,
    makeStretcher: (@Sendable (_ speed: Double, _ format: AudioFormat) -> any TimeStretcher)?
  ) {
    (self.name, self.rates, self.makeStretcher) = (name, rates, makeStretcher)
  }

  /// An algorithm of one's own, which keeps the pitch.
  ///
  /// `makeStretcher` is called for each stretch of sound that is prepared, on any thread, with the
  /// speed, one of `rates` and not 1, and the format of the frames.
  ///
  /// - Precondition: `rates` lies in 1/4...4.
  public init(
    name: String, rates: ClosedRange<Double>,
    makeStretcher: @escaping @Sendable (_ speed: Double, _ format: AudioFormat) -> any TimeStretcher
  ) {
    require(
      rates.lowerBound >= 0.25 && rates.upperBound <= 4,
      "rates of \(rates); 0.25...4.0 are permitted")
    self.init(name: name, rates: rates, makeStretcher: Optional(makeStretcher))
  }

  func stretches(at rate: Double) -> Bool { makeStretcher != nil && rates.contains(rate) }
}

extension AudioTimePitchAlgorithm: Hashable {
  /// Tells whether both have one name.
  public static func == (a: AudioTimePitchAlgorithm, b: AudioTimePitchAlgorithm) -> Bool {
    a.name == b.name
  }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
