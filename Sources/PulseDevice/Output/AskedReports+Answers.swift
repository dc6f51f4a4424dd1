// SPDX-License-Identifier: Apache-2.0

import MediaTime

// What follows an answer of the server, by what it was asked for.
extension AskedReports {
  /// The first consequence of an answer.
  enum Arrival: Hashable {
    /// It is for a stream that goes back, or for one that hands over, and for nothing else.
    case rewind, handover
    /// It tells nothing.
    case nothing
    /// It tells where the stream is; the position is asked for once more where it `asksPosition`.
    case report(asksPosition: Bool)
  }

  /// An answer has come, with a report where the server told one.
  mutating func arrived(_ question: TimingQuestion?, hasReport: Bool) -> Arrival {
    if question == .underrun { pending.remove(.underrun) }
    switch question {
    case .handover: return .handover
    case .rewind: return .rewind
    case .clock, .position, .before, .splice, .fill, .underrun, .settled, nil: break
    }
    guard hasReport else {
      if question == .position { refused() }
      return .nothing
    }
    return .report(asksPosition: position == .refused)
  }

  /// The last consequence of an answer, once it is known what it says of the stream.
  enum Reply: Hashable {
    case none
    /// All who wait for a position are told it.
    case position
    /// The position is asked for once more.
    case askAgain
    /// The rewrite that was asked about has not begun.
    case rewriteBegins
    /// The rewrite that was asked about has been made.
    case rewriteEnds
    /// The stream may have run dry.
    case underrun
    /// The stream is given what it has room for.
    case fill
  }

  /// Takes in what an answer says.
  ///
  /// - Parameters:
  ///   - question: The question that it was given to; nil for one that nobody knows.
  ///   - isWriteInDoubt: Whether a write that begins now may come too late by this answer alone: nothing is written
  ///     or placed before it is known where media time holds.
  ///   - isSlow: Whether the answer took so long that it is one of a server that was stopped, by `AnswerTimes`.
  ///   - hasDevice: Whether the stream is given what the line has. One that is corked to go back or for another one
  ///     is asked again behind that: a pause that took place by this answer lay two blocks behind what was played,
  ///     970 frames, which nobody heard. Nor has it run dry: what it is to be given again counted as heard then, 2,748
  ///     and 2,913 frames.
  ///   - isGapInDoubt: Whether the read index lies behind all that was written, and a gap may have been passed that
  ///     is not told yet: what goes on behind one would take its place. A pause by such an answer, behind 75 ms in
  ///     which nothing ran, lay 1,900 to 2,900 frames behind what was played: nobody heard them, and no underrun was
  ///     told.
  /// - Returns: what follows.
  mutating func reply(
    to question: TimingQuestion?, isWriteInDoubt: Bool, isSlow: Bool, hasDevice: Bool,
    isGapInDoubt: Bool
  ) -> Reply {
    switch question {
    case .position where isWriteInDoubt || isGapInDoubt:
      refused()
      return .none
    case .position where !hasDevice: return .none
    case .position: return isSlow ? .askAgain : .position
    case .before: return .rewriteBegins
    case .splice: return .rewriteEnds
    case .underrun: return isWriteInDoubt || isGapInDoubt || !hasDevice ? .none : .underrun
    case .fill: return isWriteInDoubt ? .none : .fill
    case .clock, .handover, .rewind, .settled, nil: return .none
    }
  }

  /// A gap may have been passed that is not told yet.
  ///
  /// - Returns: whether to ask once more, not at once: then what is in doubt is soon certain.
  mutating func doubts() -> Bool { pending.insert(.doubt).inserted }
}
