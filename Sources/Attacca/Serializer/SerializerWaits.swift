// SPDX-License-Identifier: Apache-2.0

/// The waits of a serializer.
struct SerializerWaits {
  /// True while the renderer waits for what is being decoded.
  var isHungry = false
  /// The wait after which the renderer is held until the preroll is there; nil while it is not.
  var held: PlaybackWait?
  /// True where it will soon be looked whether playing waits.
  var isWatching = false
}
