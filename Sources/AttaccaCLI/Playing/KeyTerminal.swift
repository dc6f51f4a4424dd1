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

  /// True where standard input is a terminal.
  var exists: Bool { isatty(STDIN_FILENO) == 1 }

  /// True where this process may use the terminal now: one in the background would be stopped.
  var isOurs: Bool { exists && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// True where a line that is drawn again and again disturbs no one: not from the background.
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

  /// Bytes that can be read at once, up to 64; nil once nothing will come any more.
  ///
  /// A shell may have read by now what a source on the terminal told of, and returned the terminal since: a
  /// read would wait there for the next line, and the session with it.
  static func typedBytes(_ descriptor: Int32 = STDIN_FILENO) -> [UInt8]? {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&event, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    // The terminal is gone.
    if count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN) { return nil }
    return Array(bytes.prefix(max(count, 0)))
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
