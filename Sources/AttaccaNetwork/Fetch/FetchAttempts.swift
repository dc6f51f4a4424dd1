// SPDX-License-Identifier: Apache-2.0

/// The count of questions in vain to a server, and the time of the next one; times are nanoseconds.
struct FetchAttempts {
  /// Since a missing byte came.
  private(set) var failures = 0
  /// Of them, those that a server answered well and then did not fulfil.
  private(set) var barrenAnswers = 0
  private var lastProgress: UInt64 = 0

  /// A server is asked.
  mutating func begin(at now: UInt64) { if lastProgress == 0 { lastProgress = now } }

  /// A byte has come that was missing.
  mutating func noteProgress(at now: UInt64) {
    (failures, barrenAnswers, lastProgress) = (0, 0, now)
  }

  mutating func noteFailure() { failures += 1 }

  mutating func noteBarrenAnswer() { barrenAnswers += 1 }

  /// Forgets what was not fulfilled: it is not asked for any more.
  mutating func forgetBarrenAnswers() { barrenAnswers = 0 }

  /// Returns the moment of the next attempt; nil where nothing has come for `limit`.
  func next(at now: UInt64, limit: UInt64) -> UInt64? {
    now - lastProgress < limit ? now + Self.delay(of: failures) : nil
  }

  /// Nanoseconds before an attempt behind so many failures: at once, and then from 250 ms to 8 s.
  static func delay(of failures: Int) -> UInt64 {
    failures < 2 ? 0 : min(250_000_000 << UInt64(min(failures - 2, 5)), 8_000_000_000)
  }
}
