// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AttaccaService

struct ClientStateTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `commands of a list are carried out together, and nothing before its end`() {
    var state = ClientState()
    #expect(state.receive(bytes("command_list_ok_begin")) == .none)
    #expect(state.receive(bytes("status")) == .none)
    #expect(state.receive(bytes("next\r")) == .none)
    #expect(
      state.receive(bytes("command_list_end"))
        == .run([bytes("status"), bytes("next")], tellsEach: true))
    #expect(state.receive(bytes("ping")) == .run([bytes("ping")], tellsEach: false))
  }

  @Test func `an idle client is told what has changed, once`() {
    var state = ClientState()
    #expect(state.note([.player]) == nil)
    #expect(state.wait(for: [.mixer]) == nil)
    #expect(state.note([.playlist]) == nil)
    #expect(state.note([.mixer]) == "changed: mixer\nOK\n")
    #expect(state.note([.mixer]) == nil)
    #expect(
      state.wait(for: Set(Subsystem.allCases))
        == "changed: playlist\nchanged: player\nchanged: mixer\n")
    #expect(state.wait(for: Set(Subsystem.allCases)) == nil)
    #expect(state.receive(bytes("noidle")) == .reply("OK\n"))
    #expect(state.receive(bytes("noidle")) == .none)
  }

  @Test func `whoever sends another command while it waits is left`() {
    var state = ClientState()
    _ = state.wait(for: [.player])
    #expect(state.receive(bytes("status")) == .close(""))
  }

  @Test func `what a browser says ends the connection`() {
    var state = ClientState()
    #expect(
      state.receive(bytes("GET / HTTP/1.1"))
        == .close("ACK [5@0] {} malformed command\n"))
  }

  @Test func `a command list of more than 2 MiB ends the connection`() {
    var state = ClientState()
    _ = state.receive(bytes("command_list_begin"))
    let line = [UInt8](repeating: 0x61, count: 60_000)
    for _ in 0..<34 { #expect(state.receive(line) == .none) }
    #expect(state.receive(line) == .close("ACK [5@0] {} command list too long\n"))
  }

  @Test func `lines are put together from pieces of any size`() {
    let text = bytes("status\n\nadd \"a b\"\nhalf")
    for size in 1...text.count {
      var (buffer, lines): (LineBuffer, [[UInt8]]) = (LineBuffer(), [])
      var begin = 0
      while begin < text.count {
        let end = min(begin + size, text.count)
        text[begin..<end].withUnsafeBytes { buffer.append($0) }
        while let line = buffer.next() { lines.append(line) }
        begin = end
      }
      #expect(lines == [bytes("status"), [], bytes("add \"a b\"")], "pieces of \(size)")
      #expect(!buffer.isTooLong)
    }
  }
}
