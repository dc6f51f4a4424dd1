// SPDX-License-Identifier: Apache-2.0

/// Numbers in order, to ask what part of them is below what.
struct Distribution {
  private let sorted: [Double]

  init(_ numbers: [Double]) {
    precondition(!numbers.isEmpty, "a distribution of nothing")
    sorted = numbers.sorted()
  }

  var median: Double { percentile(50) }
  var largest: Double { sorted[sorted.count - 1] }

  /// What `percent` in a hundred are not above.
  func percentile(_ percent: Double) -> Double {
    sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
  }

  /// The distances from a number, in order.
  func distances(from center: Double) -> Distribution {
    Distribution(sorted.map { abs($0 - center) })
  }
}

extension Double {
  /// To three places, for messages.
  var short: Double { (self * 1_000).rounded() / 1_000 }
}
