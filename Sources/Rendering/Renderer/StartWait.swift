// SPDX-License-Identifier: Apache-2.0

/// The wait of a line for enough to start with: no longer than `AudioRenderer.longestWait`.
struct StartWait {
  private(set) var isOverdue = false
  private var isLimited = false
  private var number = 0

  /// The wait is limited from now on.
  ///
  /// - Returns: the number with which its end is to be told; nil where it is limited already.
  mutating func limit() -> Int? {
    guard !isLimited else { return nil }
    isLimited = true
    number += 1
    return number
  }

  /// The time of the wait of a number is over.
  ///
  /// - Returns: whether that is the present one.
  mutating func expire(_ number: Int) -> Bool {
    guard isLimited, number == self.number else { return false }
    isOverdue = true
    return true
  }

  /// Nothing waits any more.
  mutating func end() { (isLimited, isOverdue) = (false, false) }
}
