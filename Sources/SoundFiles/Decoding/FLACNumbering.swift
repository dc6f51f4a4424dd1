// SPDX-License-Identifier: Apache-2.0

/// Numbers of a FLAC stream's frames, by which missing ones are found.
///
/// A pure value: whoever decodes tells it what numbers come.
struct FLACNumbering: Equatable {
  /// The number of the first frame: not 0 where a beginning was cut off.
  let first: Int64
  /// The number that the next run has, if nothing is missing.
  private var next: Int64
  /// True where numbers step back or jump, as in files put behind each other: a number is no place.
  private(set) var areUneven = false

  /// Numbers of a stream that begins with `first`.
  init(first: Int64) { (self.first, next) = (first, first) }

  /// The stream's header and its frames contradict each other.
  mutating func doubt() { areUneven = true }

  /// Expects the run with `number`, which was sought.
  mutating func seek(to number: Int64) { next = number }

  /// Takes a run of frames in.
  ///
  /// - Parameters:
  ///   - number: The number of its first frame.
  ///   - count: Its frames.
  ///   - most: Frames that can be missing before it.
  /// - Returns: the frames that are missing before it.
  mutating func enter(_ number: Int64, count: Int, atMost most: Int64) -> Int64 {
    let gap = number - next
    next = number + Int64(count)
    let missing = gap > 0 && gap <= most ? gap : 0
    if missing != gap { areUneven = true }
    return missing
  }
}
