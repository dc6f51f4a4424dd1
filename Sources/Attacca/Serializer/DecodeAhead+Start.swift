// SPDX-License-Identifier: Apache-2.0

import MediaTime

extension DecodeAhead {
  /// The place on the timeline where the run begins, and what was there before.
  struct Start {
    /// The exact time of the first frame: where the run was asked to begin, until a file has told
    /// which of its frames that is.
    private(set) var time: RationalTime
    /// True once a frame has been decoded.
    private(set) var hasFrames = false
    /// The end of the first item's frames that are on the timeline already, if the run follows those.
    private let joint: RationalTime?
    /// The first item, where that is so.
    let continued: Occurrence?
    /// True where the first item could not be read again: it ends at `joint`, and the run begins there.
    private(set) var isBehindJoint = false

    init(at time: RationalTime, continuing first: Occurrence, upTo joint: RationalTime?) {
      (self.time, self.joint) = (time, joint)
      continued = joint == nil ? nil : first
    }

    /// Takes the begin of a buffer, of which the first one's counts.
    mutating func take(_ begin: RationalTime) {
      if !hasFrames { (time, hasFrames) = (begin, true) }
    }

    /// Moves the start behind what is on the timeline already, as the first item cannot be read.
    ///
    /// - Returns: that place; nil, and nothing is done, where the item has been read, or nothing is there.
    mutating func passJoint() -> RationalTime? {
      guard let joint, !hasFrames else { return nil }
      (time, isBehindJoint) = (joint, true)
      return joint
    }
  }
}
