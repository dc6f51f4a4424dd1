// SPDX-License-Identifier: Apache-2.0

/// Makes keys of the bytes that a terminal in raw mode sends, one at a time.
struct KeyReader {
  private enum State { case idle, escape, sequence }
  private var state = State.idle

  /// The key that `byte` completes, if it does and the key means something.
  mutating func read(_ byte: UInt8) -> Key? {
    switch (state, byte) {
    case (_, 0x1B):
      state = .escape
      return nil
    // Cursor keys are ESC [ A, or ESC O A in a terminal's application mode.
    case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")):
      state = .sequence
      return nil
    case (.sequence, let byte):
      // Digits and semicolons of longer sequences; a letter or "~" ends them.
      if byte >= 0x40 { state = .idle }
      return Self.cursorKeys[byte]
    case (_, let byte):
      state = .idle
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
        return .tenth(Int(byte - UInt8(ascii: "0")))
      }
      return Self.keys[byte]
    }
  }

  private static let cursorKeys: [UInt8: Key] = [
    UInt8(ascii: "A"): .louder, UInt8(ascii: "B"): .quieter,
    UInt8(ascii: "C"): .forward, UInt8(ascii: "D"): .back,
  ]

  private static let keys: [UInt8: Key] = [
    UInt8(ascii: " "): .togglePause, UInt8(ascii: "n"): .next, UInt8(ascii: "p"): .previous,
    UInt8(ascii: "+"): .louder, UInt8(ascii: "="): .louder, UInt8(ascii: "-"): .quieter,
    UInt8(ascii: "_"): .quieter, UInt8(ascii: "q"): .quit,
    UInt8(ascii: "]"): .faster, UInt8(ascii: "["): .slower, 0x7F: .naturalSpeed, 8: .naturalSpeed,
    UInt8(ascii: "r"): .turn, UInt8(ascii: "z"): .sleep,
    UInt8(ascii: "{"): .previousChapter,
    UInt8(ascii: "}"): .nextChapter, UInt8(ascii: "l"): .loopChapter, UInt8(ascii: "?"): .help,
  ]
}
