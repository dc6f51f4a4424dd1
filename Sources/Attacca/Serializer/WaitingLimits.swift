// SPDX-License-Identifier: Apache-2.0

/// The amounts that a caller sets for waits; thread-safe.
struct WaitingLimits: Sendable {
  /// Time for which a file is waited for that neither opens nor reads on.
  let opening: WaitingLimit
  /// Content that is to be there before playing goes on after a wait.
  let preroll = WaitingLimit(seconds: 0)
}
