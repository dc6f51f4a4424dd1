// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The settings of the terminal on standard input, for whatever ends the process.
///
/// A signal's handler may call next to nothing; `tcsetattr`, `sigaction` and `raise` are among that
/// (POSIX, signal-safety). What it reads was written before it was installed.
enum TerminalRestoration {
  /// Signals that end a process that does nothing about them, without SIGKILL and those that a session
  /// takes.
  ///
  /// A trap of Swift's is SIGILL or SIGTRAP.
  private static let signals = [
    SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS, SIGUSR1, SIGUSR2, SIGALRM,
    SIGVTALRM, SIGPROF, SIGXCPU, SIGPWR, SIGSTKFLT,
  ]

  // Written by `begin`, of which there is one at a time, and read by handlers that it installs.
  private nonisolated(unsafe) static let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  /// Actions that were to be done about each signal, by its number.
  private nonisolated(unsafe) static let actions: UnsafeMutablePointer<sigaction> = {
    let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
    actions.initialize(repeating: sigaction(), count: 65)
    return actions
  }()

  /// `SIG_IGN`.
  private static let ignored = 1

  /// The settings given to `begin`.
  static var settings: termios { saved.pointee }

  /// Has `settings` put back before one of the signals ends the process.
  static func begin(_ settings: termios) {
    saved.initialize(to: settings)
    for number in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        TerminalRestoration.putBack()
        sigaction(number, TerminalRestoration.actions + Int(number), nil)
        // Held back until this returns.
        raise(number)
      }
      sigaction(number, &action, actions + Int(number))
      // Who starts a program with a signal ignored wants it so.
      let handler = actions[Int(number)].__sigaction_handler.sa_handler
      let previous = unsafeBitCast(handler, to: Int.self)
      if previous == Self.ignored { sigaction(number, actions + Int(number), nil) }
    }
  }

  /// Puts the settings back, and leaves the signals to whoever had them.
  static func end() {
    putBack()
    for number in signals { sigaction(number, actions + Int(number), nil) }
  }

  private static func putBack() {
    // In the background the shell's own settings are in force, and ours to leave alone.
    if tcgetpgrp(STDIN_FILENO) == getpgrp() { tcsetattr(STDIN_FILENO, TCSANOW, saved) }
  }
}
