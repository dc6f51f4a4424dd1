// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// A stretch of an item that is played over and over, from A to B, without a gap or a fade.
public struct ItemLoop: Hashable, Sendable {
  /// The length of the shortest loop: each time round is decoded anew.
  static let shortest = RationalTime(frames: 1, rate: 1_000)

  /// The item.
  public let id: PlaylistItem.ID
  let from: RationalTime
  let to: RationalTime

  /// A: the offset of the first frame of the loop.
  public var start: MediaTime { MediaTime(from) }
  /// B: the offset of the frame behind its last one; positive infinity for the item's end.
  public var end: MediaTime { to < PlayedRange.end ? MediaTime(to) : .positiveInfinity }
}
