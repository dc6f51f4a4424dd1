// SPDX-License-Identifier: Apache-2.0

import MediaTime

extension DecodeAhead {
  /// An item whose decoding has begun.
  struct Begun {
    var range: PlayedRange
    /// When its first frame is heard if all of it is, as soon as the file is open.
    var start: RationalTime?
    /// The item's length, as its file tells.
    var duration: RationalTime?
    /// When its last frame has been heard, as soon as that is decoded.
    var end: RationalTime?
    var hasFrames = false
    /// How it ends, once that is decided.
    var tail: Tail?
    /// Items in a row before it that yielded no frame, and are not remembered one by one.
    var skipped = 0

    /// Whether it is over without a frame, though all of it was to be played.
    var isBarren: Bool { !hasFrames && end != nil && range.isFromEdge }

    /// When `offset` is heard, if it is, as soon as the file is open.
    func time(of offset: RationalTime) -> RationalTime? {
      start.map { $0 + range.progress(at: offset, of: duration) }
    }

    /// Whether it ends as `order` has it, as far as that is decided.
    func endsAsWell(in order: PlayOrder) -> Bool {
      guard let tail else { return true }
      return Transition.isSame(tail.transition, order.transition(after: range.occurrence))
    }

    /// Whether it is the same if it is cut off at an offset, or at its end.
    func isAsWell(cutAt offset: RationalTime?) -> Bool {
      if range.to == offset { return true }
      guard let end else { return false }
      let (present, new) = (range.to.flatMap(time), offset.flatMap(time))
      return (present.map { $0 > end } ?? true) && (new.map { $0 >= end } ?? true)
    }
  }
}
