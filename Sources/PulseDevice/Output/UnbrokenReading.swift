// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The frames that a server has read one after the other, by what it has answered.
///
/// A server that runs dry goes on without frames, into the middle of those that come then. It says so, and
/// from which frame on; but PulseAudio answers questions before that, as long as one comes right behind the
/// other: an answer may come from beyond a gap that is not told yet. One from within what the server had been
/// given at the answer before does not. Another one is believed once two more have come, each to a question
/// that was asked `pause` after the one before was here: in between the server has waited for something to do,
/// and sent what else there was; the second one because it may have been held up before it waited.
///
/// A pure value, in stream frames and nanoseconds of host time.
struct UnbrokenReading {
  /// A read index that may lie beyond a gap.
  private struct Doubt {
    var read: StreamFrame
    /// The moment at which it, or the answer that counted last since, arrived.
    var since: UInt64
    var answers = 0
  }

  /// Answers until a notice has come for certain.
  static let answersBeforeCertainty = 2
  /// Nanoseconds from an answer to the question whose answer counts.
  static let pause: UInt64 = 1_000_000

  /// Every frame before was read in its place.
  private(set) var end: StreamFrame = 0
  /// End of the frames that the server had been given at its last answer, and still has.
  private var given: StreamFrame = 0
  private var doubt: Doubt?
  /// A read index that came after `doubt`, and is in doubt itself.
  private var laterDoubt: StreamFrame?
  /// Frames from `end` on have been taken back since so many questions were asked that are unanswered.
  private var cut = (end: StreamFrame.max, questions: 0)
  /// Frames from here on were written into the silence of a server that had run dry, which tells of no further
  /// gap then; so many questions were under way.
  private var placed: (frame: StreamFrame, questions: Int)?
  /// The read index of the last answer: from there up to `given` the server has frames that it is to read yet.
  private var lastRead: StreamFrame = 0

  /// True where a gap may have been passed that is not told yet.
  var isInDoubt: Bool { doubt != nil }

  /// Nothing before `frame` is to be read any more, and nothing is written from there on; `underWay`
  /// questions are unanswered.
  mutating func begin(at frame: StreamFrame, underWay: Int) {
    (end, given, lastRead, doubt, laterDoubt, placed) = (frame, frame, frame, nil, nil, nil)
    cut = (frame, underWay)
  }

  /// The same, with frames `range` written before the server reads any.
  mutating func begin(with range: Range<StreamFrame>, underWay: Int) {
    begin(at: range.lowerBound, underWay: underWay)
    given = range.upperBound
    cut.end = range.upperBound
  }

  /// Frames `range` are written, and none behind them; `next` is where those written before ended.
  mutating func wrote(_ range: Range<StreamFrame>, next: StreamFrame, underWay: Int) {
    // Silence lies between, which nobody misses.
    if range.lowerBound > next {
      begin(at: range.lowerBound, underWay: underWay)
      placed = (range.lowerBound, underWay)
    } else if range.upperBound < next {
      given = min(given, range.upperBound)
      cut = (cut.questions > 0 ? min(cut.end, range.upperBound) : range.upperBound, underWay)
    }
  }

  /// The server is at `read`, as it answers a question that was asked at `sent`, when frames up to `written`
  /// had been written, and whose answer was here at `arrived`.
  ///
  /// - Returns: the first frame that it has done without at the latest; nil where it had all.
  mutating func answered(
    read: StreamFrame, written: StreamFrame, sent: UInt64, arrived: UInt64
  ) -> StreamFrame? {
    let now = max(cut.questions > 0 ? min(written, cut.end) : written, end)
    cut.questions = max(0, cut.questions - 1)
    if let due = placed {
      placed = due.questions > 0 ? (due.frame, due.questions - 1) : nil
      if due.questions == 0, read > due.frame { return due.frame }
    }
    lastRead = read
    let reached = min(read, now)
    let isUnbroken = reached <= max(given, end)
    given = now
    if doubt != nil {
      if !isUnbroken { laterDoubt = reached }
      settle(reached, sent: sent, arrived: arrived)
    } else if isUnbroken {
      end = max(end, reached)
    } else {
      doubt = Doubt(read: reached, since: arrived)
    }
    return read > now ? now : nil
  }

  /// An answer has come while another one was in doubt.
  private mutating func settle(_ reached: StreamFrame, sent: UInt64, arrived: UInt64) {
    guard var doubt, sent >= doubt.since + Self.pause else { return }
    (doubt.answers, doubt.since) = (doubt.answers + 1, arrived)
    self.doubt = doubt
    guard doubt.answers == Self.answersBeforeCertainty else { return }
    end = max(end, laterDoubt == nil ? reached : doubt.read)
    self.doubt = laterDoubt.map { Doubt(read: $0, since: arrived) }
    laterDoubt = nil
  }

  /// Tells whether frames from `frame` on are missing, by the server's notice; not where it is older than what they
  /// are counted by.
  func isMissing(from frame: StreamFrame) -> Bool { frame >= end }

  /// Tells whether the server has frame `frame` and is to read it yet, by its last answer.
  ///
  /// A sink that rewinds tells of frames that it had taken, and done without, and given back since: with a server
  /// that is stopped for 200 ms in the midst of a start, that came behind the third answer in 16 of 90 starts.
  func holds(_ frame: StreamFrame) -> Bool { lastRead <= frame && frame < given }
}
