// SPDX-License-Identifier: Apache-2.0

/// Outcome of reading a source once.
public enum AudioRead: Hashable, Sendable {
  /// So many frames were written, 1 or more.
  case frames(Int)
  /// There are none yet, and there will be: playing holds, loses no frame, and asks again.
  ///
  /// A source may wait for ever. One that does not answer fails after `waitingLimit`.
  case wait(SourceWait)
  /// The last frame has been read.
  case end
}
