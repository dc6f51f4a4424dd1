// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// The terminal on standard input, taken out of line mode and put back.
///
/// It is put back at exit and before a signal ends the process, a crash's included.
final class KeyTerminal: @unchecked Sendable {
  /// The one of this process.
  static let standardInput: KeyTerminal = {
    let terminal = KeyTerminal()
    atexit { KeyTerminal.standardInput.leave() }
    return terminal
  }()

  // @unchecked: `isEntered` is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var isEntered = false

  /// Whether standard input is a terminal.
  var exists: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether this process may use the terminal now: one in the background would be stopped.
  var isOurs: Bool { exists && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Whether a line that is drawn again and again disturbs no one: not from the background.
  var mayDraw: Bool {
    let group = tcgetpgrp(STDOUT_FILENO)
    return group < 0 || group == getpgrp()
  }

  /// Has keys sent at once and unseen; signals keep their keys.
  ///
  /// Again after a stop: the shell has put its own settings in force meanwhile.
  ///
  /// - Returns: whether it is so now; not in the background.
  @discardableResult
  func enter() -> Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    guard isOurs else { return false }
    var settings = termios()
    if !isEntered {
      guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
      TerminalRestoration.begin(settings)
    }
    isEntered = true
    settings = TerminalRestoration.settings
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    return tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0
  }

  /// Puts it back; does nothing if it was not entered.
  func leave() {
    semaphore.wait()
    defer { semaphore.signal() }
    guard isEntered else { return }
    isEntered = false
    TerminalRestoration.end()
  }
}
