// SPDX-License-Identifier: Apache-2.0

/// State of the service as it is kept: the queue, where it is, and how it plays.
struct SavedState: Sendable {
  var slots: [QueueSlot] = []
  /// Version of the queue: what is of an older one has been saved before.
  var version: UInt32 = 0
  /// Ids in the order of playing, where that is a random one.
  var order: [UInt32] = []
  var modes = PlayModes()
  var volume = 100
  var isEnabled = true
  var place = KeptPlace()
  var sleep: KeptSleep?
  /// Number of the last entry of the journal that is part of it.
  var sequence: UInt64 = 0
}
