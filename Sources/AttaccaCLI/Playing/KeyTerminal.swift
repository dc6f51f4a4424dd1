// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// The terminal on standard input, taken out of line mode and put back.
final class KeyTerminal: @unchecked Sendable {
  /// The one of this process; it is put back at exit, whatever the way out.
  static let standardInput: KeyTerminal = {
    let terminal = KeyTerminal()
    atexit { KeyTerminal.standardInput.leave() }
    return terminal
  }()

  // @unchecked: `saved` is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  /// The settings before `enter`.
  private var saved: termios?

  /// Whether standard input is a terminal.
  var exists: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether this process may use it now: one in the background would be stopped.
  var isOurs: Bool { exists && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Whether a line that is drawn again and again disturbs no one: not from the background.
  var mayDraw: Bool { !exists || isOurs }

  /// Has keys sent at once and unseen; signals keep their keys.
  func enter() {
    semaphore.wait()
    defer { semaphore.signal() }
    var settings = termios()
    guard saved == nil, isOurs, tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
    saved = settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
  }

  /// Puts it back; does nothing if it was not entered.
  func leave() {
    semaphore.wait()
    defer { semaphore.signal() }
    guard var settings = saved else { return }
    saved = nil
    // After a stop the shell's own settings are in force, and ours to leave alone.
    if isOurs { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
  }
}
