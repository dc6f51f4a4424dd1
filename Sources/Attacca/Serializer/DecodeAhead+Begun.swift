// SPDX-License-Identifier: Apache-2.0

import MediaTime

extension DecodeAhead {
  /// An item whose decoding has begun.
  struct Begun {
    var range: PlayedRange
    /// Media time of the item's first frame, as though all of the item were heard; nil until its file is open.
    var start: RationalTime?
    /// What is left out of it, as far as it has been decoded.
    var skips = SkippedParts()
    /// The item's length, as its file tells.
    var duration: RationalTime?
    /// Media time of the end of the item's last frame; nil until that is decoded.
    var end: RationalTime?
    var hasFrames = false
    /// The overlap that the item ends in, or its end without one; nil until that is decided.
    var tail: Tail?
    /// Nothing was heard before it: it is begun without the silence in front of it.
    var isBare = false
    /// Items in a row before it that yielded no frame, and are not remembered one by one.
    var skipped = 0

    /// True where the item is over without a frame, though all of it was to be played.
    var isBarren: Bool { !hasFrames && end != nil && range.isFromEdge }

    /// Media time of `offset` in the item, as though it were heard; nil until the item's file is open.
    func time(of offset: RationalTime) -> RationalTime? {
      lineTime(of: range.progress(at: offset, of: duration))
    }

    /// The same of a place that is counted in the direction of playing.
    func lineTime(of place: RationalTime) -> RationalTime? {
      start.map { $0 + skips.line(of: place) }
    }

    /// True where the item ends as `order` has it, or its end is not decided yet.
    func endsAsWell(in order: PlayOrder) -> Bool {
      guard let tail else { return true }
      return Transition.isSame(tail.transition, order.transition(after: range.occurrence))
    }

    /// True where the item's frames stay the same if it is cut off at `offset`; nil for its own end.
    func isAsWell(cutAt offset: RationalTime?) -> Bool {
      if range.to == offset { return true }
      let gap = { (to: RationalTime?) in min(.zero, to ?? .zero) }
      guard let end, !range.isReversed || gap(range.to) == gap(offset) else { return false }
      let (present, new) = (range.to.flatMap(time), offset.flatMap(time))
      return (present.map { $0 > end } ?? true) && (new.map { $0 >= end } ?? true)
    }
  }
}
