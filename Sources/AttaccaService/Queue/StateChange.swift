// SPDX-License-Identifier: Apache-2.0

/// A change of what the service keeps; all of them, one behind the other, make of an earlier state a later one.
enum StateChange: Hashable, Sendable {
  /// Songs are in front of a position.
  case insert([KeptSong], at: Int)
  case remove(Range<Int>)
  case move(Range<Int>, to: Int)
  case swap(Int, Int)
  /// The songs from a position on have these ids, in this order.
  case arrange([UInt32], at: Int)
  case priority(Int, at: Int)
  /// Another song has the id of the one at a position.
  case replace(Song, at: Int)
  /// The ids of all songs in the order of playing.
  case order([UInt32])
  /// A song is at an index in the order of playing, where it may have been at another.
  case place(UInt32, orderedAt: Int)
  case modes(PlayModes)
  case volume(Int)
  case enabled(Bool)
  case playing(KeptPlace)
  /// The sleep timer; nil for none.
  case sleep(KeptSleep?)
}
