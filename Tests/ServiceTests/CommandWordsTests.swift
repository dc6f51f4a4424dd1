// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AttaccaService

struct CommandWordsTests {
  private func words(_ line: String) throws -> [String] {
    let words = try CommandWords(text: line)
    return [words.name] + words.arguments
  }

  private func refusal(_ line: String) -> String? {
    do throws(CommandError) {
      _ = try CommandWords(text: line)
      return nil
    } catch {
      return error.text
    }
  }

  @Test func `words are apart by blanks, and quotes hold blanks together`() throws {
    #expect(try words("play") == ["play"])
    #expect(try words("  add\t a/b.flac  ") == ["add", "a/b.flac"])
    #expect(try words(#"find artist "A B" album """#) == ["find", "artist", "A B", "album", ""])
    #expect(try words(#"add "a \"b\" \\ c""#) == ["add", #"a "b" \ c"#])
    #expect(
      try words(#"find "(Artist == \"foo\\'bar\\\"\")""#) == [
        "find", #"(Artist == "foo\'bar\"")"#,
      ])
    #expect(try words("add ü\u{301}/né.flac") == ["add", "ü\u{301}/né.flac"])
  }

  @Test func `a line that is none is refused in MPD's words`() {
    #expect(refusal("") == "No command given")
    #expect(refusal("4") == "Letter expected")
    #expect(refusal("pl(ay") == "Invalid word character")
    #expect(refusal(#"add "a"#) == #"Missing closing '"'"#)
    #expect(refusal(#"add "a\"#) == #"Missing closing '"'"#)
    #expect(refusal(#"add "a"b"#) == #"Space expected after closing '"'"#)
    #expect(refusal(#"add a"b"#) == "Invalid unquoted character")
    #expect(refusal("add 'a'") == "Invalid unquoted character")
    #expect(refusal("prio" + String(repeating: " 1", count: 70)) == "Too many arguments")
    #expect(refusal("prio" + String(repeating: " 1", count: 69)) == nil)
  }

  @Test func `bytes that are no text are refused`() {
    #expect(throws: CommandError(.argument, "Malformed UTF-8")) {
      try CommandWords([0x61, 0x20, 0xFF])
    }
  }

  @Test func `numbers, ranges and places are read as MPD reads them`() throws {
    let arguments = CommandArguments(["3", "-1", "x", "3:", "3:7", "+0", "-1", "99999999999"])
    #expect(try arguments.unsigned(0) == 3)
    #expect(throws: CommandError(.argument, "Number too large: -1")) { try arguments.unsigned(1) }
    #expect(throws: CommandError(.argument, "Integer expected: x")) { try arguments.integer(2) }
    #expect(throws: CommandError(.argument, "Number too large: 99999999999")) {
      try arguments.integer(7)
    }
    #expect(try arguments.range(0) == SongRange(start: 3, end: 4))
    #expect(try arguments.range(1) == .all)
    #expect(try arguments.range(3) == SongRange(start: 3, end: nil))
    #expect(try arguments.range(4) == SongRange(start: 3, end: 7))
    #expect(try arguments.place(5, count: 5, current: 2) == 3)
    #expect(try arguments.place(6, count: 5, current: 2) == 1)
    #expect(throws: CommandError(.playerSync, "No current song")) {
      try arguments.place(5, count: 5, current: nil)
    }
  }

  @Test(arguments: [
    (1.0, 3, "1.000"), (0.0005, 3, "0.001"), (-17.25, 6, "-17.250000"), (-0.0, 1, "0.0"),
    (12.0, 0, "12"),
  ])
  func `decimals have the places that are asked for`(value: Double, places: Int, text: String) {
    #expect(Decimal.text(value, places: places) == text)
  }

  @Test func `moments are read back as they were written`() {
    #expect(Timestamp.text(0) == "1970-01-01T00:00:00Z")
    #expect(Timestamp.text(1_764_035_083) == "2025-11-25T01:44:43Z")
    #expect(Timestamp.seconds("2025-11-25T01:44:43Z") == 1_764_035_083)
    #expect(Timestamp.seconds("1764035083") == 1_764_035_083)
    #expect(Timestamp.seconds("yesterday") == nil)
  }
}
