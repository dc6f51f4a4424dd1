// SPDX-License-Identifier: Apache-2.0

/// State of one client's conversation: what each line that comes means, and when it is told of changes.
///
/// A pure state machine. Lines go in, actions come out; it knows neither sockets nor commands.
struct ClientState: Sendable {
  /// What is to be done now.
  enum Action: Hashable, Sendable {
    case none
    /// Commands are to be carried out, one behind the other up to the first that fails.
    case run([[UInt8]], tellsEach: Bool)
    case reply(String)
    /// The client is to be told this, and then to be left.
    case close(String)
  }

  private enum Phase: Hashable, Sendable {
    case awaitingCommands
    case collecting(CommandList)
    case idle(Set<Subsystem>)
  }

  private var phase = Phase.awaitingCommands
  /// Changes that the client has not been told of.
  private(set) var changes: Set<Subsystem> = []

  /// A line has come, without its line break.
  mutating func receive(_ line: [UInt8]) -> Action {
    var line = line
    while let last = line.last, last <= 0x20 { line.removeLast() }
    switch phase {
    case .idle:
      // While it waits nothing else may come: who sends more would take the reply for another.
      guard line.elementsEqual("noidle".utf8) else { return .close("") }
      phase = .awaitingCommands
      return .reply("OK\n")
    case .collecting(var list):
      if line.elementsEqual("command_list_end".utf8) {
        phase = .awaitingCommands
        return .run(list.lines, tellsEach: list.tellsEach)
      }
      // The list has one owner while it grows.
      phase = .awaitingCommands
      guard list.add(line) else {
        return .close(refusal("command list too long"))
      }
      phase = .collecting(list)
      return .none
    case .awaitingCommands: return begin(line)
    }
  }

  private mutating func begin(_ line: [UInt8]) -> Action {
    // A browser that was led here says GET or POST.
    guard let first = line.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return .close(refusal(line.isEmpty ? "No command given" : "malformed command"))
    }
    if line.elementsEqual("command_list_begin".utf8) {
      phase = .collecting(CommandList(tellsEach: false))
      return .none
    }
    if line.elementsEqual("command_list_ok_begin".utf8) {
      phase = .collecting(CommandList(tellsEach: true))
      return .none
    }
    // Nothing is waited for: the reply to `idle` was on its way.
    if line.elementsEqual("noidle".utf8) { return .none }
    return .run([line], tellsEach: false)
  }

  /// A line has come that is longer than any command.
  mutating func receiveTooLong() -> Action {
    phase = .awaitingCommands
    return .close(refusal("line too long"))
  }

  private func refusal(_ text: String) -> String {
    CommandError(.unknown, text).line(index: 0, command: "")
  }

  /// The command `idle` has come: waits for one of `subsystems` to change.
  ///
  /// - Returns: What is to be told at once, in front of "OK"; nil where it waits.
  mutating func wait(for subsystems: Set<Subsystem>) -> String? {
    phase = .idle(subsystems)
    return takeChanges()
  }

  /// Something has changed.
  ///
  /// - Returns: What is to be told now; nil for nothing.
  mutating func note(_ changed: Set<Subsystem>) -> String? {
    changes.formUnion(changed)
    return takeChanges().map { $0 + "OK\n" }
  }

  private mutating func takeChanges() -> String? {
    guard case .idle(let subsystems) = phase else { return nil }
    let due = changes.intersection(subsystems)
    guard !due.isEmpty else { return nil }
    changes.subtract(due)
    phase = .awaitingCommands
    return Subsystem.allCases.filter(due.contains).map { "changed: \($0.rawValue)\n" }.joined()
  }

  /// True where the client waits for changes.
  var isIdle: Bool { if case .idle = phase { true } else { false } }
}
