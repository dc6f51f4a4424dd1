// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The overlap of two items, in the direction in which they are played.
///
/// One item takes the other's place in its middle, on a frame of both.
struct Overlap: Hashable, Sendable {
  /// An item's frames, all of them, and those of the overlap on the far side of the middle, which are the other's.
  struct Side: Hashable, Sendable {
    let rate: Int
    let length: Int64
    let frames: Int64

    var duration: RationalTime { RationalTime(frames: frames, rate: rate) }
  }

  /// The items, and how loud each of them is.
  var transition: Transition
  let leaving: Side
  let entering: Side
  /// The length of what enters is still being searched for, and greater than is said here.
  let isProvisional: Bool

  /// From the first frame of what enters to the last one of what leaves.
  var duration: RationalTime { leaving.duration + entering.duration }

  /// The first frame of what enters, in the time of what leaves.
  var begin: RationalTime { middle - entering.duration }

  /// The middle, in the time of what leaves.
  var middle: RationalTime {
    RationalTime(frames: leaving.length - leaving.frames, rate: leaving.rate)
  }

  /// The beginning of what leaves, in the time of what enters.
  var leavingStart: RationalTime { .zero - begin }

  /// The overlap of `transition`, whose items have `leaving` and `entering` frames, from frame `first` of what
  /// leaves on at the earliest: what lies before may overlap with another one.
  ///
  /// - Returns: nil where no frame of one of them is left for it.
  init?(
    _ transition: Transition, leaving: (length: Int64, rate: Int),
    entering: (length: Int64, rate: Int), from first: Int64, isProvisional: Bool = false
  ) {
    // Half of what is to overlap at its other end too.
    let most = transition.isFollowed ? entering.length / 2 : entering.length
    let room = RationalTime(frames: min(most, 1 << 44), rate: entering.rate)
    let frames = min(
      transition.crossfade.frames(at: leaving.rate), leaving.length - first,
      room.frames(at: leaving.rate))
    let behind = frames / 2
    let before = RationalTime(frames: frames - behind, rate: leaving.rate)
    (self.transition, self.isProvisional) = (transition, isProvisional)
    self.leaving = Side(rate: leaving.rate, length: leaving.length, frames: behind)
    self.entering = Side(
      rate: entering.rate, length: entering.length, frames: before.frames(at: entering.rate))
    guard behind > 0, self.entering.frames > 0 else { return nil }
  }

  /// The same the other way round, where `transition` leads back.
  ///
  /// - Returns: nil where the length of what leaves then was not known.
  func mirrored(_ transition: Transition) -> Overlap? {
    isProvisional ? nil : Overlap(transition, leaving: entering, entering: leaving)
  }

  private init(_ transition: Transition, leaving: Side, entering: Side) {
    (self.transition, self.leaving, self.entering) = (transition, leaving, entering)
    isProvisional = false
  }
}
