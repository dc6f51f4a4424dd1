// SPDX-License-Identifier: Apache-2.0

import Attacca

extension PlaybackEvent {
  /// Whether none follows that a test could wait for: then it fails rather than waits for ever.
  var isLast: Bool {
    switch self {
    case .endOfQueue, .failed: true
    default: false
    }
  }
}
