// SPDX-License-Identifier: Apache-2.0

public import MediaTime

/// The length of a list as a whole, as far as it is known.
public enum PlaylistDuration: Hashable, Sendable {
  /// All lengths are known: this is their sum, exactly.
  case exact(MediaTime)
  /// Lengths are still being read, of so many items; those that are known last so long.
  case reading(atLeast: MediaTime, remaining: Int)
  /// All that can be read has been, and so many items tell no length: a broadcast, a file that cannot be opened. The
  /// others last so long.
  case indefinite(atLeast: MediaTime, unknown: Int)
}
