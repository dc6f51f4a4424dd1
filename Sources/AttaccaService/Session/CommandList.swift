// SPDX-License-Identifier: Apache-2.0

/// Lines of a command list that has not ended yet.
struct CommandList: Hashable, Sendable {
  /// Bytes of all lines, at most, as MPD's `max_command_list_size`.
  static let most = 2_048 * 1_024

  /// True where each command that is done is told.
  let tellsEach: Bool
  private(set) var lines: [[UInt8]] = []
  private var size = 0

  init(tellsEach: Bool) { self.tellsEach = tellsEach }

  /// Adds a line; false where the list is too long.
  mutating func add(_ line: [UInt8]) -> Bool {
    size += line.count + MemoryLayout<[UInt8]>.stride
    guard size <= Self.most else { return false }
    lines.append(line)
    return true
  }
}
