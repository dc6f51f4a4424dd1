// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Timeline frames over the stream frames at which they are heard: piecewise linear, a new piece at every
/// start, pause, splice and stall.
///
/// Timeline frames pass one by one with the frames of the stream; how many of them are a second of
/// media time is the rate of their piece. A plain value of fixed size, so that it can be published to
/// readers on any thread.
struct RenderMap: Equatable {
  /// A piece of the map: from stream frame `stream` on, timeline frame `media` and what follows it; or only it, held.
  struct Piece: Equatable {
    var stream: StreamFrame
    var media: TimelineFrame
    /// Timeline frames in a second of media time: the device's rate at the natural speed, half as
    /// many at the double.
    var rate: Int
    var isRunning: Bool
    /// Counts the jumps and turns of media time up to this piece: equal for pieces that continue each
    /// other.
    var traversal: Int
    /// Media time goes backwards: timeline frame n, which passes before n + 1 as ever, is frame -n of
    /// it.
    var isReversed = false

    func media(at frame: StreamFrame) -> TimelineFrame {
      isRunning ? media + (frame - stream) : media
    }

    /// The timeline frame of another rate that is nearest to what is heard at a stream frame.
    func media(at frame: StreamFrame, rate other: Int) -> TimelineFrame {
      let media = media(at: frame)
      return other == rate ? media : RationalTime(media, rate: rate).timelineFrame(at: other)
    }
  }

  /// Enough for the splices of one server buffer; older pieces are forgotten.
  static let capacity = 8
  private(set) var pieces: InlineArray<8, Piece>
  private(set) var count: Int
  /// The last traversal given to a piece, one that was replaced before it was heard included:
  /// whoever waits for that one must not take another jump for it.
  private(set) var lastTraversal: Int

  /// Everything holds at timeline frame `media`.
  init(media: TimelineFrame, rate: Int, traversal: Int = 0, isReversed: Bool = false) {
    pieces = InlineArray(
      repeating: Piece(
        stream: StreamFrame(.min / 2), media: media, rate: rate, isRunning: false,
        traversal: traversal,
        isReversed: isReversed))
    count = 1
    lastTraversal = traversal
  }

  /// Everything holds at timeline frame `media`, in the traversal that another map ended with.
  init(goingOnFrom old: RenderMap, at media: TimelineFrame, rate: Int) {
    let last = old.last
    self.init(media: media, rate: rate, traversal: last.traversal, isReversed: last.isReversed)
    lastTraversal = old.lastTraversal
  }

  /// The piece that is heard last.
  var last: Piece { pieces[count - 1] }

  /// The timeline frame heard at a stream frame, at the rate and in the direction of the last piece.
  func media(at frame: StreamFrame) -> TimelineFrame {
    let piece = piece(at: frame)
    let media = piece.media(at: frame, rate: last.rate)
    return piece.isReversed == last.isReversed ? media : -media
  }

  /// The piece that is heard at a stream frame.
  func piece(at frame: StreamFrame) -> Piece { pieces[index(at: frame)] }

  /// The index of the piece that is heard at a stream frame.
  @_noLocks @_noAllocation
  func index(at frame: StreamFrame) -> Int {
    var i = count &- 1
    while i > 0 && pieces[i].stream > frame { i = i &- 1 }
    return i
  }

  /// The stream frame with which the piece behind the one that is heard at `frame` begins; nil in the last.
  @_noLocks @_noAllocation
  func end(ofPieceAt frame: StreamFrame) -> StreamFrame? {
    for i in 1..<(count &+ 1) where i < count && pieces[i].stream > frame {
      return pieces[i].stream
    }
    return nil
  }

  /// The piece with which a traversal that has a piece began, as far as it is remembered.
  func first(ofTraversal traversal: Int) -> Piece {
    var i = 0
    while i < count - 1 && pieces[i].traversal != traversal { i += 1 }
    return pieces[i]
  }

  /// The stream frame of the last jump or turn; nil where that is not remembered.
  var lastJump: StreamFrame? {
    var i = count - 1
    while i > 0 && pieces[i - 1].traversal == last.traversal { i -= 1 }
    return i > 0 ? pieces[i].stream : nil
  }

  /// The stream frame at which `media` will be heard in the last piece; nil where it is held at
  /// another time.
  func stream(ofMedia media: TimelineFrame) -> StreamFrame? {
    let piece = last
    if piece.isRunning { return piece.stream + (media - piece.media) }
    return media == piece.media ? piece.stream : nil
  }

  /// From `stream` on `media`, a frame of `rate`, is heard, running or held; pieces from there on are
  /// forgotten.
  ///
  /// `isJump` begins another traversal even where `media` would be heard anyhow, as another direction
  /// does; nil for the present one.
  mutating func add(
    stream: StreamFrame, media: TimelineFrame, rate: Int, isRunning: Bool, isJump: Bool = false,
    isReversed: Bool? = nil
  ) {
    let isReversed = isReversed ?? last.isReversed
    // A piece at the same frame counts: it has been told of, though it is never heard.
    let before = piece(at: stream)
    while count > 1 && pieces[count - 1].stream >= stream { count -= 1 }
    if count == Self.capacity {
      // The oldest ones lie behind the heard frame by then: a splice takes a round trip to the
      // server, and eight of them would have to fall into one of its blocks.
      for i in 1..<count { pieces[i - 1] = pieces[i] }
      count -= 1
    }
    let isJump =
      isJump || isReversed != before.isReversed || media != before.media(at: stream, rate: rate)
    if isJump { lastTraversal += 1 }
    pieces[count] = Piece(
      stream: stream, media: media, rate: rate, isRunning: isRunning,
      traversal: isJump ? lastTraversal : before.traversal, isReversed: isReversed)
    count += 1
  }

  /// From `stream` on media time holds at `media`, or runs on from it, in the last piece's traversal.
  ///
  /// Also where the device has stepped back to before the last piece. `media` is a frame of that piece's rate.
  mutating func goOn(from stream: StreamFrame, at media: TimelineFrame, isRunning: Bool) {
    let last = self.last
    add(stream: stream, media: media, rate: last.rate, isRunning: isRunning)
    pieces[count - 1].traversal = last.traversal
  }

  /// The last piece begins at `stream` only.
  mutating func delayLast(to stream: StreamFrame) { pieces[count - 1].stream = stream }

  /// Takes the pieces that another map had.
  mutating func restore(count: Int, _ piece: (Int) -> Piece) {
    self.count = count
    for i in 0..<count { pieces[i] = piece(i) }
    lastTraversal = last.traversal
  }

  /// Holds at `media`, a frame of `rate`, everywhere, past included.
  mutating func hold(at media: TimelineFrame, rate: Int, isReversed: Bool? = nil) {
    self = RenderMap(
      media: media, rate: rate, traversal: lastTraversal + 1,
      isReversed: isReversed ?? last.isReversed)
  }

  /// Holds as frame `media` of another rate, or direction, what is held in the end.
  mutating func hold(asFrame media: TimelineFrame, rate: Int, isReversed: Bool) {
    guard isReversed == last.isReversed else {
      return add(
        stream: last.stream, media: media, rate: rate, isRunning: false, isReversed: isReversed)
    }
    pieces[count - 1].media = media
    pieces[count - 1].rate = rate
  }

  static func == (a: RenderMap, b: RenderMap) -> Bool {
    a.count == b.count && (0..<a.count).allSatisfy { a.pieces[$0] == b.pieces[$0] }
  }
}
