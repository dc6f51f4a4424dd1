// SPDX-License-Identifier: Apache-2.0

/// Speed and direction in which media time is to pass, and the pace that follows from them.
///
/// A pure value: each change returns what follows from it.
struct WantedSpeed {
  /// The effect that a change of the speed has on the line.
  enum Change: Hashable {
    case none
    /// The pace is another one; `isBeyond` where the algorithm would keep the pitch, and does not reach so far.
    case pace(isBeyond: Bool)
  }

  /// Seconds of media time in a second of the device, in either direction, without what steering adds.
  private(set) var nominalRate = 1.0
  private(set) var isReversed = false
  private(set) var algorithm = AudioTimePitchAlgorithm.timeDomain
  private var steering = Steering()
  /// The pace that all of these make.
  private(set) var pace = Pace.natural

  /// Media time is to pass at `rate`, which is not 0.
  mutating func set(rate: Double) -> Change {
    (nominalRate, isReversed) = (abs(rate), rate < 0)
    return update()
  }

  /// The pitch is to be kept by `algorithm`, or to follow the rate.
  mutating func set(algorithm: AudioTimePitchAlgorithm) -> Change {
    self.algorithm = algorithm
    return update()
  }

  // MARK: Another clock, which is followed

  /// A clock is followed from now on, or none is.
  mutating func beginSteering(isFollower: Bool) -> Change {
    if isFollower { steering.forget() } else { steering = Steering() }
    return update()
  }

  /// Begins anew: a jump tells nothing of the clocks.
  mutating func forgetSteering() { steering.forget() }

  /// Takes note of where another clock is, as `Steering.look` does, for a device of `sampleRate`.
  mutating func look(off: Double, time: Double, interval: Double, sampleRate: Int) -> Change {
    // One timeline frame a second more or fewer.
    let nominal = Pace(rate: nominalRate, algorithm: algorithm)
    let step = 1 / Double(nominal.timelineRate(for: sampleRate))
    steering.look(off: off, time: time, interval: interval, step: step)
    return update()
  }

  /// Takes note that it is not where the other clock is, as `Steering.isLost` does.
  mutating func isLost(time: Double) -> Bool { steering.isLost(time: time) }

  private mutating func update() -> Change {
    let new = Pace(rate: nominalRate, correction: steering.correction, algorithm: algorithm)
      .directed(isReversed)
    guard new != pace else { return .none }
    pace = new
    return .pace(isBeyond: new.isBeyond(algorithm))
  }
}
