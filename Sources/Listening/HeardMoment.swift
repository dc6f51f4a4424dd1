// SPDX-License-Identifier: Apache-2.0

/// A moment as the reference's clock has it.
package struct HeardMoment: Hashable, Sendable {
  /// Nanoseconds of host time.
  package let hostTime: Int
  /// The host time at which the reference's frame 0 would have been heard, by the reports next to it.
  package let origin: Int
  package let sampleRate: Int

  package init(hostTime: Int, origin: Int, sampleRate: Int) {
    (self.hostTime, self.origin, self.sampleRate) = (hostTime, origin, sampleRate)
  }

  /// The number of the frame that is being heard.
  package var number: Int { number(at: hostTime) }

  /// The number of the frame that is heard at a host time not far from this one.
  package func number(at hostTime: Int) -> Int {
    let (seconds, rest) = (hostTime - origin).quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds * sampleRate + rest * sampleRate / 1_000_000_000
  }

  /// The host time at which a frame not far from this moment is heard.
  package func hostTime(of number: Int) -> Int {
    let (seconds, rest) = number.quotientAndRemainder(dividingBy: sampleRate)
    return origin + seconds * 1_000_000_000 + rest * 1_000_000_000 / sampleRate
  }
}
