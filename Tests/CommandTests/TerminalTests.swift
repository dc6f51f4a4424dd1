// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The player in front of a user, on a real pseudo-terminal with a real shell.
@Suite(.serialized) struct TerminalTests {
  private static let play =
    "\"$attacca\" play --output null --repeat all fixtures/album-uncut.flac"
  private static let shell = ["--norc", "--noprofile", "--noediting", "-i"]

  @Test func `keys and the line are back after a stop, a life in the background, and the return`()
    throws
  {
    let terminal = try Terminal(Self.shell)
    terminal.type(Self.play + "\n")
    try terminal.wait(for: "▶ 0:")
    #expect(terminal.isRaw)
    terminal.type("\u{1A}")
    try terminal.wait(for: "Stopped")
    #expect(terminal.isCooked)
    terminal.type("bg\n")
    try terminal.wait(for: "&")
    // The shell has the terminal, and answers.
    terminal.type("echo $((6 * 7)) in front\n")
    try terminal.wait(for: "42 in front")
    #expect(terminal.isCooked)
    terminal.type("fg\n")
    try terminal.wait(for: "▶ 0:")
    #expect(terminal.isRaw)
    terminal.type(" ")
    try terminal.wait(for: "⏸ 0:")
    terminal.type("q")
    try terminal.wait(for: "$ ")
    terminal.type("echo status $?\n")
    try terminal.wait(for: "status 0")
    #expect(terminal.isCooked)
  }

  @Test func `keys work after a stop that cannot be caught`() throws {
    let terminal = try Terminal(Self.shell)
    terminal.type(Self.play + "\n")
    try terminal.wait(for: "▶ 0:")
    terminal.type("\u{1A}")
    try terminal.wait(for: "Stopped")
    // The shell's prompt may come behind what is typed early.
    try terminal.wait(for: "$ ")
    terminal.type("echo player $(jobs -p) it is\n")
    try terminal.wait(for: "\nplayer ")
    let player = try #require(pid_t(try terminal.wait(for: " it is")))
    terminal.type("fg\n")
    try terminal.wait(for: "▶ 0:")
    kill(player, SIGSTOP)
    try terminal.wait(for: "Stopped")
    #expect(terminal.isCooked)
    terminal.type("fg\n")
    try terminal.wait(for: "fg")
    try terminal.wait(for: "▶ 0:")
    #expect(terminal.isRaw)
    terminal.type(" ")
    try terminal.wait(for: "⏸ 0:")
  }

  @Test func `started in the background it waits for the terminal`() throws {
    let terminal = try Terminal(Self.shell)
    terminal.type(Self.play + " &\n")
    terminal.type("echo $((6 * 7)) in front\n")
    try terminal.wait(for: "42 in front")
    #expect(terminal.isCooked)
    terminal.type("fg\n")
    try terminal.wait(for: "▶ 0:")
    terminal.type(" ")
    try terminal.wait(for: "⏸ 0:")
  }

  @Test func `a meter shows the level of what is heard`() throws {
    let terminal = try Terminal(Self.shell)
    terminal.type("\"$attacca\" play --meter --output null fixtures/album-uncut.flac\n")
    // The album's loudest peak is -0.9 dB; a pause is silent.
    let shown = try terminal.wait(for: " dB")
    #expect(shown.contains("▶ 0:0"))
    try terminal.wait(for: "▶ 0:01")
    let level = try terminal.wait(for: " dB").split(separator: " ").last.flatMap { Int($0) }
    #expect(try (-40 ... -1).contains(#require(level)))
    terminal.type(" ")
    try terminal.wait(for: "⏸ 0:0")
    #expect(try terminal.wait(for: " dB").hasSuffix("–∞"))
  }

  @Test func `a book is shown as a whole, and digits and arrows go through its files`() throws {
    let terminal = try Terminal(Self.shell)
    let file = "fixtures/album-uncut.flac"
    terminal.type("\"$attacca\" play --output null --book \(file) \(file)\n")
    // Two files of 40 s.
    try terminal.wait(for: " / 1:20")
    terminal.type(" ")
    try terminal.wait(for: "⏸ 0:")
    terminal.type("9")
    try terminal.wait(for: "⏸ 1:12 / 1:20")
    try terminal.wait(for: "2 of 2")
    terminal.type(String(repeating: "\u{1B}[D", count: 4))
    try terminal.wait(for: "⏸ 0:32 / 1:20")
    try terminal.wait(for: "1 of 2")
    terminal.type("0")
    try terminal.wait(for: "⏸ 0:00 / 1:20")
    terminal.type("q")
    try terminal.wait(for: "$ ")
  }

  @Test func `the question mark shows the keys`() throws {
    let terminal = try Terminal(Self.shell)
    terminal.type(Self.play + "\n")
    try terminal.wait(for: "▶ 0:")
    terminal.type("?")
    for word in ["pause", "next", "10 s", "louder", "slower", "natural", "turn", "quit"] {
      try terminal.wait(for: word)
    }
    // And the line goes on below.
    try terminal.wait(for: "▶ 0:")
  }

  /// A shell that neither has jobs nor puts a terminal back itself, so that what is found is what the
  /// player left.
  private func bareShell() throws -> (terminal: Terminal, player: pid_t) {
    let script = """
      trap : INT QUIT HUP TERM
      bash -c 'echo "player $$."; exec \(Self.play)'
      echo "status $?."
      read
      """
    let terminal = try Terminal(["-c", script])
    try terminal.wait(for: "player ")
    let player = try #require(pid_t(try terminal.wait(for: ".")))
    try terminal.wait(for: "▶ 0:")
    #expect(terminal.isRaw)
    return (terminal, player)
  }

  @Test(arguments: [("q", "0"), ("\u{3}", "4"), ("\u{1C}", "\(128 + SIGQUIT)")])
  func `the terminal is as it was after a key that ends it`(key: String, status: String) throws {
    let (terminal, _) = try bareShell()
    terminal.type(key)
    try terminal.wait(for: "status ")
    #expect(try terminal.wait(for: ".") == status)
    #expect(terminal.isCooked)
  }

  @Test(arguments: [
    SIGTERM, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGUSR1, SIGALRM,
  ])
  func `the terminal is as it was after a signal`(signal: Int32) throws {
    let (terminal, player) = try bareShell()
    kill(player, signal)
    try terminal.wait(for: "status ")
    let status = try terminal.wait(for: ".")
    #expect(status == ([SIGTERM, SIGHUP].contains(signal) ? "4" : "\(128 + signal)"))
    #expect(terminal.isCooked)
  }
}
