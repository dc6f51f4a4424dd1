// SPDX-License-Identifier: Apache-2.0

/// The reason for which a sequence of events has ended.
public enum EventSequenceEnd: Hashable, Sendable {
  /// The sender of the events is gone: nothing happens any more.
  case sourceIsGone
  /// More than 16,384 events had not been received: what came after those is not told. Who goes on takes
  /// a new sequence, and looks at the present state.
  case fellBehind
  /// The task that iterated, or the observation, was cancelled.
  case cancelled
}
