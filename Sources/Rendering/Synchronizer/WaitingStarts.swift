// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The start of several renderers that waits for their content, one at most, and the number of the last one.
struct WaitingStarts {
  private(set) var waiting: WaitingStart?
  private(set) var last = 0

  /// Has `renderers` wait, with those that wait already.
  ///
  /// - Returns: the number of the start.
  mutating func wait(for renderers: [AudioRenderer], time: RationalTime?, fade: Fade) -> Int {
    last += 1
    waiting = WaitingStart(
      number: last, renderers: (waiting?.renderers ?? []) + renderers,
      time: waiting?.time ?? time, fade: waiting?.fade ?? fade)
    return last
  }

  /// Takes the start of `number`, which is carried out now.
  ///
  /// - Returns: whether that is what still waited.
  mutating func take(_ number: Int) -> Bool {
    guard waiting?.number == number else { return false }
    waiting = nil
    return true
  }

  /// Something else was asked for.
  mutating func cancel() { waiting = nil }
}
