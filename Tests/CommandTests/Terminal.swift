// SPDX-License-Identifier: Apache-2.0

import CTerminal
import Foundation
import Testing

/// A pseudo-terminal with a shell in it, as a user sits in front of.
final class Terminal {
  private let child: pid_t
  private let master: Int32
  /// What has been shown and not waited for.
  private var shown = ""

  /// Starts `bash` with arguments; `attacca` in its scripts is the program that was built, and its
  /// folder the repository's.
  init(_ arguments: [String]) throws {
    let environment = [
      "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")", "LC_ALL=C.UTF-8",
      "TERM=dumb", "PS1=$ ", "PULSE_SERVER=unix:/nonexistent", "SWIFT_BACKTRACE=enable=no",
      "attacca=\(Attacca.program.path)",
    ]
    var texts = (["bash"] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in texts + variables { free(text) } }
    var master: Int32 = -1
    child = attacca_test_spawn_in_terminal(
      "/bin/bash", &texts, &variables, Attacca.folder.path, &master)
    self.master = master
    try #require(child > 0, "forkpty: \(errno)")
  }

  deinit {
    kill(-child, SIGKILL)
    kill(child, SIGKILL)
    close(master)
    waitpid(child, nil, 0)
  }

  /// Types `keys`.
  func type(_ keys: String) {
    var keys = keys
    keys.withUTF8 { _ = write(master, $0.baseAddress, $0.count) }
  }

  /// Waits until `text` is shown.
  ///
  /// - Returns: what was shown before it, since the last text waited for.
  @discardableResult
  func wait(for text: String, seconds: Int32 = 60, at line: SourceLocation = #_sourceLocation)
    throws -> String
  {
    let end = DispatchTime.now() + .seconds(Int(seconds))
    while true {
      if let range = shown.range(of: text) {
        let before = String(shown[..<range.lowerBound])
        shown = String(shown[range.upperBound...])
        return before
      }
      var event = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      let isInTime = DispatchTime.now() < end && poll(&event, 1, seconds * 1_000) > 0
      try #require(
        isInTime, "no \(text.debugDescription) in \(String(shown.suffix(300)).debugDescription)",
        sourceLocation: line)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      let count = read(master, &bytes, bytes.count)
      try #require(count > 0, "ended without “\(text)”: “\(shown)”", sourceLocation: line)
      shown += String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  /// Whether keys are sent at once and unseen, as a player wants it, and not as a shell does.
  var isRaw: Bool {
    var settings = termios()
    tcgetattr(master, &settings)
    return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
  }

  /// Whether lines are edited and shown, as a shell expects to find its terminal.
  var isCooked: Bool {
    var settings = termios()
    tcgetattr(master, &settings)
    return settings.c_lflag & tcflag_t(ICANON | ECHO) == tcflag_t(ICANON | ECHO)
  }
}
