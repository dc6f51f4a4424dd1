// SPDX-License-Identifier: Apache-2.0

/// Commands of a client that are being carried out, and may wait for it to read their answers.
struct RunningCommands {
  let lines: [[UInt8]]
  /// True where each command that is done is told.
  let tellsEach: Bool
  /// Name of the command that has begun last.
  var name = ""
  /// What its answer lacks.
  var rest: Reply.Rest?
  private var next = 0

  init(lines: [[UInt8]], tellsEach: Bool) { (self.lines, self.tellsEach) = (lines, tellsEach) }

  /// Index of the command that has begun last.
  var index: Int { next - 1 }

  var isUnfinished: Bool { rest != nil || next < lines.count }

  /// The line of the next command, which begins.
  mutating func begin() -> [UInt8] {
    name = ""
    next += 1
    return lines[next - 1]
  }
}
