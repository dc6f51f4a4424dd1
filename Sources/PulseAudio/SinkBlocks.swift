// SPDX-License-Identifier: Apache-2.0
internal import SampleBuffers

/// Length of the blocks that a stream has its sink take.
///
/// A pure state machine: whoever drives it, with the connection's lock held, asks the server for what it says.
struct SinkBlocks {
  /// Progress of the sink's blocks towards what the stream's latency asks for.
  enum Depth: Hashable {
    /// As long as the sink takes any: the next start is heard at once.
    case deep
    /// The sink has been asked for the stream's own, and so many questions are to be answered until all
    /// that it told before has arrived.
    ///
    /// The server sends what its sink's thread told a turn of its mainloop later than the answer to a
    /// question, and within that turn maybe behind the answer to a second one: the answer to a third comes
    /// behind it in any case. Behind two, 8 of 170 starts counted as dry, and were heard again behind a hole.
    case settling(answers: Int)
    /// The stream's own.
    case settled
  }

  /// Answers behind which no notice of a block that was given back comes any more.
  private static let answers = 3

  /// Latency that the stream has once it is settled.
  let latency: Latency
  private(set) var depth: Depth
  /// The frame behind the last one that the sink took at the start and has given back; nil before a start.
  private(set) var givenBackEnd: Int64?
  /// True where the sink is a null sink that rewinds, which takes long blocks while no stream wants shorter ones.
  var sinkRewinds: Bool

  /// Blocks of a stream that has been opened; as long as the sink takes any where it `startsDeep`.
  init(latency: Latency, sinkRewinds: Bool, startsDeep: Bool) {
    (self.latency, self.sinkRewinds) = (latency, sinkRewinds)
    depth = startsDeep && sinkRewinds ? .deep : .settled
  }

  var isSettling: Bool { if case .settling = depth { true } else { false } }

  /// The sink is asked for the stream's own blocks, by a start that has been made with frames up to `end`.
  mutating func settles(startedUpTo end: Int64) {
    (depth, givenBackEnd) = (.settling(answers: Self.answers), end)
  }

  /// Counts frames `distance` lower.
  mutating func count(back distance: Int64) { givenBackEnd = givenBackEnd.map { $0 - distance } }

  /// Takes an answer to what was asked behind the start.
  ///
  /// - Returns: whether to ask once more: then `settled` is due where that cannot be.
  mutating func answered() -> Bool {
    guard case .settling(let answers) = depth else { return false }
    depth = answers > 1 ? .settling(answers: answers - 1) : .settled
    return isSettling
  }

  /// No more answers come.
  mutating func settled() { depth = .settled }

  /// A stream that stands still may have the longest blocks at its next start.
  ///
  /// - Returns: whether the sink is to be asked for them.
  mutating func deepens() -> Bool {
    guard depth == .settled, sinkRewinds else { return false }
    depth = .deep
    return true
  }
}
