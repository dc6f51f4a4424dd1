// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// The keys that are typed at a session's terminal, while the terminal is this process's.
///
/// Everything runs on the session's queue.
final class SessionKeys: @unchecked Sendable {
  // @unchecked: touched only on `queue`.
  private enum State {
    /// There is no terminal, or its keys have ended.
    case none
    case reading(any DispatchSourceRead)
    /// Another process has the terminal; the source is suspended.
    case away(any DispatchSourceRead)
  }

  private let queue: DispatchQueue
  private let press: (Key) -> Void
  /// Called behind the keys that were typed together.
  private let pressed: () -> Void
  /// Called once the terminal is this process's again.
  private let returned: () -> Void
  private var state = State.none
  private var reader = KeyReader()

  /// Keys of no terminal until `begin()`.
  init(
    queue: DispatchQueue, press: @escaping (Key) -> Void, pressed: @escaping () -> Void,
    returned: @escaping () -> Void
  ) {
    (self.queue, self.press, self.pressed, self.returned) = (queue, press, pressed, returned)
  }

  /// Takes the terminal, where there is one.
  func begin() {
    let terminal = KeyTerminal.standardInput
    guard terminal.exists else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    source.setEventHandler { [weak self] in self?.read() }
    source.resume()
    state = .reading(source)
    if !terminal.enter() { leave() }
  }

  /// True where a line disturbs no one, and the keys that it stands for come.
  var mayDraw: Bool {
    guard KeyTerminal.standardInput.mayDraw else { return false }
    if case .away = state { return takeBack() }
    return true
  }

  /// Goes on after the process was stopped.
  func resume() {
    if case .away = state { return }
    if !KeyTerminal.standardInput.enter() { leave() }
  }

  /// Takes no more keys, and gives the terminal back.
  func end() {
    switch state {
    case .none: break
    case .reading(let source): source.cancel()
    case .away(let source):
      source.cancel()
      // A source that is released while it is suspended is a bug to the library.
      source.resume()
    }
    state = .none
    KeyTerminal.standardInput.leave()
  }

  /// Lets another process have the terminal, until it is ours again.
  private func leave() {
    guard case .reading(let source) = state else { return }
    state = .away(source)
    // What is typed there is not for us, and would wake this process all the same.
    source.suspend()
    look()
  }

  /// A shell that brings what runs in the background to the foreground sends no signal: so the terminal
  /// is asked twice a second who has it.
  private func look() {
    guard case .away = state else { return }
    if takeBack() {
      returned()
    } else {
      queue.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in self?.look() }
    }
  }

  /// Takes the terminal back, and its keys, where it was not ours; tells whether it is.
  private func takeBack() -> Bool {
    guard case .away(let source) = state, KeyTerminal.standardInput.enter() else { return false }
    state = .reading(source)
    source.resume()
    return true
  }

  private func read() {
    // In the background a read would stop the process.
    guard KeyTerminal.standardInput.isOurs else { return leave() }
    guard let bytes = KeyTerminal.typedBytes() else {
      if case .reading(let source) = state { source.cancel() }
      return
    }
    for byte in bytes {
      if let key = reader.read(byte) { press(key) }
    }
    pressed()
  }
}
