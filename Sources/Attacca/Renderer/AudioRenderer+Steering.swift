// SPDX-License-Identifier: Apache-2.0

extension AudioRenderer {
  /// Is `off` seconds behind the clock that it follows, at media time `time`; nil where it does not
  /// play, or is too far off.
  ///
  /// - Returns: whether it is to begin anew.
  func steer(off: Double?, time: Double, interval: Double) -> Bool {
    output.withLock {
      guard !isPaceStale else { return false }
      guard let off else { return steering.isLost(time: time) }
      // One timeline frame a second more or fewer.
      let step = 1 / Double(nominalTimelineRate)
      steering.look(off: off, time: time, interval: interval, step: step)
      setPace()
      return false
    }
  }

  /// Follows no one, or begins to.
  func beginSteering(isFollower: Bool) {
    output.withLock {
      if isFollower { steering.forget() } else { steering = Steering() }
      setPace()
    }
  }

  private var nominalTimelineRate: Int {
    Pace(rate: nominalRate, algorithm: storedAlgorithm).timelineRate(for: format.sampleRate)
  }

  /// Whether a start waits until there is enough, not only something.
  func setWaitsForSufficientData(_ waits: Bool) {
    output.withLock {
      waitsForSufficientData = waits
      if case .stalled = line.transport, isPrimed { performLocked(.resume) }
    }
  }
}
