// SPDX-License-Identifier: Apache-2.0

/// The time that a server's answers take, by which one of a server that was stopped is told from one of a server that
/// is far away.
///
/// What an answer says of the time that a write takes is twice that time until a pause begins: by one that had waited
/// for 1.5 s a start was placed 3 s ahead, behind silence. So where an answer took longer than they do the server is
/// asked again. The answers of one that is far away take as long again; those of one that was stopped do not, but where
/// it is stopped a second time.
struct AnswerTimes: Hashable {
  /// Answers beyond it have to be longer still than usual three times in a row, as few servers are so far away.
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
