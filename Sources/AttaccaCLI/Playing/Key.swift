// SPDX-License-Identifier: Apache-2.0

/// What a key asks for.
enum Key: Hashable {
  case togglePause, next, previous, back, forward, louder, quieter, faster, slower, naturalSpeed,
    turn, quit
}
