// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Frames that a stream is to play again, once it has told where it stands.
struct StreamRewind: Hashable {
  /// The event that follows, with the lock held.
  enum Outcome: Hashable {
    case none
    /// The frames that were to come from one on have been missed, where the stream has gone as far as to it.
    case tellsMissed(from: StreamFrame)
    /// The server's wish to have the stream corked is told.
    case tellsPolicy
  }

  /// The first frame that is to be heard again.
  var frame: StreamFrame
  /// Answers to come until the server has told of all that it has done without.
  var answers: Int
  /// The event that is told once the stream has gone back.
  let outcome: Outcome
}
