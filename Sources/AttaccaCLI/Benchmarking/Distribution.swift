// SPDX-License-Identifier: Apache-2.0

/// Values in their order, and what can be said of them.
struct Distribution {
  /// Ascending, one or more.
  let values: [Int]

  init(_ values: [Int]) {
    precondition(!values.isEmpty, "a distribution of nothing")
    self.values = values.sorted()
  }

  /// The smallest value that `percent` of all do not exceed (nearest rank).
  func percentile(_ percent: Double) -> Int {
    let rank = Int((percent / 100 * Double(values.count)).rounded(.up))
    return values[min(max(rank, 1), values.count) - 1]
  }

  var maximum: Int { values.last! }

  /// Returns the number in each of `count` bins of `width` from 0 on; the last one takes what is beyond.
  func histogram(binWidth: Int, count: Int) -> [Int] {
    var bins = [Int](repeating: 0, count: count)
    for value in values { bins[min(max(0, value / binWidth), count - 1)] += 1 }
    return bins
  }
}
