// SPDX-License-Identifier: Apache-2.0

/// The time that a server's answers take, by which an answer of a server that was stopped is told from one of a server
/// that is far away.
///
/// A write is placed as though it took as long as the answer, and as long again: by an answer that had waited for 1.5 s
/// a start was placed 3 s ahead, behind silence. So a server whose answer took longer than its answers do is asked
/// again. Where it is far away the next answer takes as long; where it was stopped it does not, unless it is stopped a
/// second time.
struct AnswerTimes: Hashable {
  /// Few servers are further away, in nanoseconds: longer answers have to come three times in a row.
  private static let farthest: UInt64 = 500_000_000

  /// Nanoseconds within which answers come: twice what the server's take where it is far away.
  private(set) var usual = PulseAudioOutput.slowAnswer
  /// Answers in a row that took longer, each to a question that was asked behind the answer before: what was asked
  /// before it has waited with it.
  private var doubts = 0
  private var shortest = UInt64.max
  /// Host time at which the last of them came, in nanoseconds.
  private var doubted: UInt64 = 0

  /// Takes the time of an answer in.
  ///
  /// - Parameters:
  ///   - roundTrip: Nanoseconds between question and answer.
  ///   - arrived: Host time at which the answer came, in nanoseconds.
  /// - Returns: whether the answer took so long that it is one of a server that was stopped.
  mutating func answered(in roundTrip: UInt64, at arrived: UInt64) -> Bool {
    guard roundTrip > PulseAudioOutput.slowAnswer else {
      self = AnswerTimes()
      return false
    }
    guard roundTrip > usual else { return false }
    if arrived - min(arrived, roundTrip) >= doubted {
      (doubts, shortest, doubted) = (doubts + 1, min(shortest, roundTrip), arrived)
    }
    guard doubts >= (shortest > Self.farthest ? 3 : 2) else { return true }
    (usual, doubts, shortest) = (2 * min(shortest, .max / 2), 0, .max)
    return roundTrip > usual
  }
}
