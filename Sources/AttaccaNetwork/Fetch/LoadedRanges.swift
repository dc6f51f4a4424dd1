// SPDX-License-Identifier: Apache-2.0

/// The parts of a file that are there: ranges of bytes in order, of which no two touch.
struct LoadedRanges: Hashable {
  private(set) var ranges: [Range<Int64>] = []

  /// Bytes of all of them.
  var byteCount: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

  /// Adds `range`, part of which may be there.
  mutating func insert(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    let first = firstIndex { $0.upperBound >= range.lowerBound }
    let end = firstIndex { $0.lowerBound > range.upperBound }
    guard first < end else { return ranges.insert(range, at: first) }
    let whole =
      min(
        range.lowerBound, ranges[first].lowerBound)..<max(
        range.upperBound, ranges[end - 1].upperBound)
    ranges.replaceSubrange(first..<end, with: [whole])
  }

  /// Takes `range` away, which need not be there.
  mutating func remove(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    let first = firstIndex { $0.upperBound > range.lowerBound }
    let end = firstIndex { $0.lowerBound >= range.upperBound }
    guard first < end else { return }
    let rest = [
      ranges[first].lowerBound..<max(range.lowerBound, ranges[first].lowerBound),
      min(range.upperBound, ranges[end - 1].upperBound)..<ranges[end - 1].upperBound,
    ]
    ranges.replaceSubrange(first..<end, with: rest.filter { !$0.isEmpty })
  }

  /// Bytes that follow each other from `offset` on; 0 where that one is not there.
  func run(from offset: Int64) -> Int64 {
    let i = firstIndex { $0.upperBound > offset }
    guard i < ranges.count, ranges[i].lowerBound <= offset else { return 0 }
    return ranges[i].upperBound - offset
  }

  /// The first byte behind `offset` that is there; nil where none is.
  func next(behind offset: Int64) -> Int64? {
    let i = firstIndex { $0.lowerBound > offset }
    return i < ranges.count ? ranges[i].lowerBound : nil
  }

  /// The first range for which `isThere`, which holds for all behind it too.
  private func firstIndex(where isThere: (Range<Int64>) -> Bool) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if isThere(ranges[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
