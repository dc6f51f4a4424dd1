// SPDX-License-Identifier: Apache-2.0

/// A cause that keeps a stream from being heard.
public enum Interruption: Hashable, Sendable {
  /// The server asks for silence, as for a phone call: a stream of another role plays.
  case policy
  /// The device is suspended.
  case deviceSuspended
}
