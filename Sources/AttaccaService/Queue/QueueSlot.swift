// SPDX-License-Identifier: Apache-2.0

import Attacca

/// One song of the queue, at a place in it.
struct QueueSlot: Sendable {
  /// Number by which clients name it, wherever it is moved.
  let id: Int
  let song: Song
  /// The engine's item.
  let item: PlaylistItem
  /// Higher ones come first in random order, 0 to 255.
  var priority = 0
  /// Version of the queue in which it last changed its place or its values.
  var version: UInt32 = 0
}
