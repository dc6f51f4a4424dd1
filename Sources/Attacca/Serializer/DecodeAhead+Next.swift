// SPDX-License-Identifier: Apache-2.0

import MediaTime

extension DecodeAhead {
  /// The item to be opened next, once none is open.
  struct Next {
    /// The part of the item that is played; nil for nothing.
    var range: PlayedRange?
    /// The end of what is before it on the timeline.
    var time: RationalTime
    /// The first item's place, which is not told by what lies before; nil behind the first item.
    var firstPlace: DecodeStep.Place?

    /// True for the first item of the run.
    var isFirst: Bool { firstPlace != nil }

    /// The place on the timeline at which the item begins.
    var place: DecodeStep.Place { firstPlace ?? .firstFrame(at: time) }
  }
}
