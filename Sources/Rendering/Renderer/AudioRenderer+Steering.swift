// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

extension AudioRenderer {
  /// Is `off` seconds behind the clock that it follows, at media time `time`; nil where it does not
  /// play, or is too far off.
  ///
  /// - Returns: whether it is to begin anew.
  func steer(off: Double?, time: Double, interval: Double) -> Bool {
    output.withLock {
      guard !isPaceStale else { return false }
      guard let off else { return wanted.speed.isLost(time: time) }
      let change = wanted.speed.look(
        off: off, time: time, interval: interval, sampleRate: format.sampleRate)
      carryOut(change)
      return false
    }
  }

  /// Follows no one, or begins to.
  func beginSteering(isFollower: Bool) {
    output.withLock { carryOut(wanted.speed.beginSteering(isFollower: isFollower)) }
  }

  /// Sets whether a start waits until there is enough, not only something.
  func setWaitsForSufficientData(_ waits: Bool) {
    output.withLock {
      starts.condition.waitsForSufficientData = waits
      if case .stalled = line.transport, isPrimed { performLocked(.resume) }
    }
  }
}
