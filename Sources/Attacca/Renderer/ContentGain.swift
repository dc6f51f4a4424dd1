// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// A factor for the content of a line from a timeline frame on, up to the next part of it.
struct ContentGain: Hashable, Sendable {
  let key: ContentKey
  /// The timeline frame of its first frame.
  let media: TimelineFrame
  let factor: Float
}
