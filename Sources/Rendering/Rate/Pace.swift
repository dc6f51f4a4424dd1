// SPDX-License-Identifier: Apache-2.0

/// The speed at which media time passes, and how that is made to sound.
struct Pace: Equatable {
  /// Seconds of media time in a second of the device.
  private(set) var rate: Double
  /// The same without what is added for a device whose clock is slow.
  let nominalRate: Double
  /// Algorithm that makes the sound longer or shorter; nil where it is only converted, as tape is: at the
  /// natural speed, with `.varispeed`, and where the algorithm does not reach.
  let stretching: AudioTimePitchAlgorithm?
  /// True where what is converted is mirrored: media time goes backwards.
  private(set) var isReversed = false

  /// Rates at which media time can pass, in either direction.
  static let rates: ClosedRange<Double> = 1 / 32...32

  /// The natural speed.
  static let natural = Pace(rate: 1, algorithm: .varispeed)

  /// `correction` is what is added for a device whose clock is slow, as a part of the rate: so small
  /// that no pitch need be kept.
  init(rate: Double, correction: Double = 0, algorithm: AudioTimePitchAlgorithm) {
    (self.rate, nominalRate) = (rate * (1 + correction), rate)
    stretching = rate != 1 && algorithm.stretches(at: rate) ? algorithm : nil
  }

  /// The same backwards, or forwards.
  func directed(_ isReversed: Bool) -> Pace {
    var pace = self
    pace.isReversed = isReversed
    return pace
  }

  /// Tells whether `algorithm` would keep the pitch, but does not reach so far.
  func isBeyond(_ algorithm: AudioTimePitchAlgorithm) -> Bool {
    stretching == nil && algorithm.makeStretcher != nil && !(0.99...1.01).contains(rate)
  }

  /// The same with nothing added for the device's clock.
  var nominal: Pace {
    var pace = self
    pace.rate = nominalRate
    return pace
  }

  /// Timeline frames in a second of media time, for a device of `sampleRate`: a whole number, which
  /// says how fast it really passes.
  func timelineRate(for sampleRate: Int) -> Int {
    max(1, Int((Double(sampleRate) / rate).rounded()))
  }
}
