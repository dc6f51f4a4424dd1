// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch

/// State of a stream of segments as its source shows it.
final class HLSStanding: @unchecked Sendable {
  // @unchecked: touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var stored: Values?

  struct Values {
    /// Facts of the playlists.
    var facts: SegmentedStream
    /// Seconds that have been loaded, by the playlist.
    var loaded = 0.0
    /// More is waited for than has come.
    var isStarved = false
    /// The last segment came in less time than it lasts.
    var isFast = false
    /// Nothing more is to come.
    var isAtEnd = false
  }

  /// Nil for what is no such stream, or not known yet.
  var values: Values? {
    get { semaphore.withLock { stored } }
    set { semaphore.withLock { stored = newValue } }
  }
}
