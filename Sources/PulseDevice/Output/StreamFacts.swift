// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Facts of a stream, beside the output's own state, at the moment at which the server tells something of it.
struct StreamFacts: Hashable {
  /// The frame behind the last one written.
  var next: StreamFrame
  /// Frames that its sink plays in a second.
  var sampleRate: Int
  /// True where its sink still gives back what it had taken: what is said of missing frames is of those.
  var isSettling = false
  /// True where the server tells read indices, and what was missing, to the frame.
  var tellsUnderruns = true
}
