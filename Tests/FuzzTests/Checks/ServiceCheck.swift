// SPDX-License-Identifier: Apache-2.0

@testable import AttaccaService

/// Takes bytes for what a client of the service sends: lines, words, filters.
enum ServiceCheck {
  static func run(_ bytes: [UInt8]) throws {
    let lines = Self.lines(bytes, pieces: bytes.count)
    try Finding.unless(lines == Self.lines(bytes, pieces: 3), "lines depend on their pieces")
    var state = ClientState()
    for line in lines {
      switch state.receive(line) {
      case .none: break
      case .reply(let text): try check(reply: text)
      case .close(let text):
        try check(reply: text)
        return
      case .run(let lines, _): for line in lines { try check(line) }
      }
    }
  }

  private static func lines(_ bytes: [UInt8], pieces: Int) -> [[UInt8]] {
    var (buffer, lines): (LineBuffer, [[UInt8]]) = (LineBuffer(), [])
    var begin = 0
    while begin < bytes.count {
      let end = min(begin + pieces, bytes.count)
      bytes[begin..<end].withUnsafeBytes { buffer.append($0) }
      while let line = buffer.next() { lines.append(line) }
      begin = end
    }
    return lines
  }

  private static func check(reply: String) throws {
    try Finding.unless(reply.isEmpty || reply.last == "\n", "a reply without an end: \(reply)")
    try Finding.unless(reply.filter { $0 == "\n" }.count <= 1, "a reply of two lines: \(reply)")
  }

  private static func check(_ line: [UInt8]) throws {
    let words: CommandWords
    do throws(CommandError) {
      words = try CommandWords(line)
    } catch {
      return try check(reply: error.line(index: 0, command: ""))
    }
    // Said again, with all words in quotes, it is the same command.
    let quoted = words.arguments.map { argument in
      "\"" + argument.flatMap { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" } + "\""
    }
    let again = try CommandWords(text: ([words.name] + quoted).joined(separator: " "))
    try Finding.unless(again == words, "\(words) is \(again) in quotes")
    let arguments = CommandArguments(words.arguments)
    for index in arguments.indices {
      attempt { _ = try arguments.range(index).clipped(to: 100) }
      attempt { _ = try arguments.place(index, count: 100, current: 7) }
      attempt { _ = try arguments.float(index) }
    }
    attempt {
      let song = Song(uri: "a/b", values: [SongValue(tag: .title, text: words.name)])
      let query = try SongQuery(arguments, foldsCase: true)
      _ = (query.filter.matches(song), query.arranged([song]), FilterClause(query.filter))
    }
  }

  /// What is refused is refused in words: nothing but that it comes to an end.
  private static func attempt(_ body: () throws -> Void) {
    do { try body() } catch {}
  }
}
