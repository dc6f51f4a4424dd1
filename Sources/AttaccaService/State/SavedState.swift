// SPDX-License-Identifier: Apache-2.0

/// State of the service as it is kept: the queue, where it is, and how it plays.
struct SavedState: Sendable {
  /// The place where playing is.
  struct Place: Hashable, Sendable {
    /// "play", "pause" or "stop".
    var state = "stop"
    /// Id of the song; nil for none.
    var id: Int?
    var nanoseconds: Int64 = 0
  }

  var slots: [QueueSlot] = []
  /// Version of the queue: what is of an older one has been saved before.
  var version: UInt32 = 0
  /// Ids in the order of playing, where that is a random one.
  var order: [Int] = []
  var modes = PlayModes()
  var volume = 100
  var isEnabled = true
  var place = Place()
}
