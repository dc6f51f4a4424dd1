// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// A start of several renderers that waits until they have something to start with.
struct WaitingStart {
  let number: Int
  let renderers: [AudioRenderer]
  /// Time that is heard first; nil for what the first renderer plays by then.
  let time: RationalTime?
  let fade: Fade
}
