// SPDX-License-Identifier: Apache-2.0

/// Range of positions in an argument: "3", "3:", "3:7".
struct SongRange: Hashable, Sendable {
  let start: Int
  /// Position behind the last one; nil for all that there are.
  let end: Int?

  static let all = SongRange(start: 0, end: nil)

  /// The positions of it in a list of `count`.
  ///
  /// - Throws: For one that begins behind the list.
  func positions(in count: Int) throws(CommandError) -> Range<Int> {
    let end = min(end ?? count, count)
    guard start <= end else { throw .badIndex }
    return start..<end
  }

  /// The positions of it in a list of `count`, as far as there are any.
  func clipped(to count: Int) -> Range<Int> {
    let end = min(end ?? count, count)
    return min(start, end)..<end
  }
}
