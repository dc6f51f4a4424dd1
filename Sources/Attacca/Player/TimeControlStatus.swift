// SPDX-License-Identifier: Apache-2.0

/// State of playing, by what was asked for last and what there is to be heard.
///
/// The corresponding type is `AVPlayer.TimeControlStatus`.
public enum TimeControlStatus: Hashable, Sendable {
  /// Paused, stopped, or at the end.
  case paused
  /// Playing, or about to.
  case playing
  /// To play, and waiting for an item that has nothing to be heard yet.
  case waiting(PlaybackWait)
}
