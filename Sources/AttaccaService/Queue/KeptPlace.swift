// SPDX-License-Identifier: Apache-2.0

/// The place where playing is, as it is kept.
struct KeptPlace: Hashable, Sendable {
  /// "play", "pause" or "stop".
  var state = "stop"
  /// Id of the song; nil for none.
  var id: Int?
  var nanoseconds: Int64 = 0
}
