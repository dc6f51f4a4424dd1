// SPDX-License-Identifier: Apache-2.0

import Rendering

/// The reports that the server is asked for, and those who wait for a position.
struct AskedReports {
  typealias Answer = @Sendable (OutputPosition) -> Void

  /// The position of the stream that is to be told.
  enum Position: Hashable {
    case none
    /// Asked for ahead of a splice, which has not come yet; nobody waits for the answer.
    case expected
    /// Asked for on behalf of at least one who waits.
    case asked
    /// Wanted, but not asked for, as 16 questions were open, or not told: the next answer of the server has the
    /// position asked for again.
    case refused
  }

  /// Questions that are not asked a second time while they are under way.
  struct Pending: OptionSet {
    let rawValue: Int
    /// The read index of a stream that may have run dry.
    static let underrun = Pending(rawValue: 1)
    /// The question that is asked soon, whether the server has read past a gap.
    static let doubt = Pending(rawValue: 2)
  }

  private(set) var answers: [Answer] = []
  private(set) var position = Position.none
  var pending: Pending = []
  /// The question that a corked stream is asked with the next answer, as 16 others were open.
  var owed: TimingQuestion?

  /// A splice will want a position, which has been asked for if `isAsked`; nobody waits for one.
  mutating func expect(_ isAsked: Bool) { position = isAsked ? .expected : .none }

  /// No splice wants what was asked for ahead.
  mutating func endExpectation() {
    if position == .expected { position = .none }
  }

  /// Someone waits for a position.
  ///
  /// - Returns: whether it is to be asked for: not where others wait for it already.
  mutating func add(_ answer: @escaping Answer) -> Bool {
    endExpectation()
    answers.append(answer)
    return answers.count == 1
  }

  /// The position has been asked for on behalf of all who wait, or could not be.
  mutating func asked(_ isAsked: Bool) { position = isAsked ? .asked : .refused }

  /// The position was not told.
  mutating func refused() {
    if !answers.isEmpty { position = .refused }
  }

  /// All who wait, who are answered now.
  mutating func takeAnswers() -> [Answer] {
    let due = answers
    answers.removeAll(keepingCapacity: true)
    if position != .expected { position = .none }
    return due
  }

  /// Another stream is there, of which nothing has been asked.
  mutating func forget() {
    if position == .refused { position = .none }
    pending.remove(.underrun)
    owed = nil
  }
}
