// SPDX-License-Identifier: Apache-2.0

import MediaTime

extension DecodeAhead {
  /// The item to be opened next, once none is open.
  struct Next {
    /// What is played of it; nil for nothing.
    var range: PlayedRange?
    /// The end of what is before it on the timeline.
    var time: RationalTime
    /// The first item's place, which is not told by what lies before; nil behind the first item.
    var firstPlace: DecodeStep.Place?

    /// Whether it is the first item of the run.
    var isFirst: Bool { firstPlace != nil }

    /// Where it is put.
    var place: DecodeStep.Place { firstPlace ?? .firstFrame(at: time) }
  }
}
