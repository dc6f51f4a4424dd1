// SPDX-License-Identifier: Apache-2.0

import Rendering

/// The wish to play or to pause, as far as it has been carried out, and what interrupts it: a pure
/// state machine.
struct SerializerTransport {
  /// The rate that was told last.
  private(set) var toldRate: Double = 0
  /// The newest request that has been carried out, and whether something was current then.
  private(set) var applied = (requestNumber: 0, hasCurrent: false)
  /// Interruptions that keep the sound from being heard.
  private var interruptions: Set<Interruption> = []
  /// True where playing goes on when the interruptions are over.
  private(set) var isInterrupted = false

  /// Carries out `wish`, if it is a new one or something has become current, or nothing.
  ///
  /// - Returns: the rate that is to be; nil for the present one.
  mutating func follow(_ transport: QueueState.Transport, hasCurrent: Bool) -> Double? {
    let request = (requestNumber: transport.requestNumber, hasCurrent: hasCurrent)
    guard request != applied else { return nil }
    applied = request
    isInterrupted = false
    return transport.isPlaying && hasCurrent ? transport.rate : 0
  }

  /// The clock goes at `rate`.
  ///
  /// - Returns: whether that is to be told: it is another one.
  mutating func tell(_ rate: Double) -> Bool {
    defer { toldRate = rate }
    return rate != toldRate
  }

  /// `cause` interrupts playing, which goes at `rate`.
  ///
  /// - Returns: whether the rate is to be 0 meanwhile.
  mutating func interrupt(_ cause: Interruption, rate: Double) -> Bool {
    interruptions.insert(cause)
    if rate != 0 { isInterrupted = true }
    return rate != 0
  }

  /// `cause` is over.
  ///
  /// - Returns: whether playing goes on: nothing else interrupts it, and nobody has paused, or played in
  ///   spite of it, meanwhile.
  mutating func endInterruption(_ cause: Interruption) -> Bool {
    interruptions.remove(cause)
    let resumes = isInterrupted && interruptions.isEmpty
    if resumes { isInterrupted = false }
    return resumes
  }

  /// Everything has been stopped: nothing is to go on.
  mutating func stop() { isInterrupted = false }

  /// The end has been heard: nothing is current.
  mutating func end() { applied.hasCurrent = false }
}
