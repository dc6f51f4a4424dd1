// SPDX-License-Identifier: Apache-2.0

/// A song of the queue as it is kept: without the engine's item.
struct KeptSong: Hashable, Sendable {
  /// Number by which clients name it.
  let id: Int
  var song: Song
  var priority = 0
}
