// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One side of a plot: the places of values along it, and the text at them.
struct Axis {
  /// Quantity that is measured, with its unit.
  let title: String
  /// Places from 0 to 1.
  let ticks: [(place: Double, text: String)]
  private let scale: (Double) -> Double
  private let range: ClosedRange<Double>

  /// The place of a value, 0 to 1; what lies beyond the ends is put there.
  func place(_ value: Double) -> Double {
    let part = (scale(value) - range.lowerBound) / (range.upperBound - range.lowerBound)
    return min(max(part, 0), 1)
  }

  private init(
    _ title: String, range: ClosedRange<Double>, ticks: [(value: Double, text: String)],
    scale: @escaping (Double) -> Double
  ) {
    (self.title, self.range, self.scale) = (title, range, scale)
    self.ticks = ticks.map {
      let part = (scale($0.value) - range.lowerBound) / (range.upperBound - range.lowerBound)
      return (part, $0.text)
    }
  }

  /// From 0 to a round number at or above `largest`, in three to six steps.
  static func linear(_ title: String, through largest: Double) -> Axis {
    let step = step(for: largest)
    let count = max(1, Int((largest / step).rounded(.up)))
    let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2
    let ticks = (0...count).map { n in
      (value: Double(n) * step, text: (Double(n) * step).text(decimals: decimals))
    }
    return Axis(title, range: 0...Double(count) * step, ticks: ticks) { $0 }
  }

  /// The end of what `linear` draws.
  var end: Double { range.upperBound }

  /// Percentiles 1 to 99.9, or to 99 where there are too few values for more: both tails are drawn
  /// out (logit), as it is there that things go wrong.
  static func percentiles(_ title: String, of count: Int) -> Axis {
    let known = [1, 10, 50, 90, 99, 99.9]
    let shown = known.filter { $0 < 99.9 || count >= 500 }
    let logit = { (percent: Double) in log(percent / (100 - percent)) }
    return Axis(
      title, range: logit(1)...logit(shown.last!),
      ticks: shown.map { ($0, $0 == 99.9 ? "99.9" : $0.text(decimals: 0)) }, scale: logit)
  }

  /// 1, 2 or 5 times a power of ten.
  private static func step(for largest: Double) -> Double {
    let least = max(largest, 1e-2) / 6
    var step = 1e-2
    var factors = [2, 2.5, 2].makeIterator()
    while step < least {
      if let factor = factors.next() {
        step *= factor
      } else {
        factors = [2, 2.5, 2].makeIterator()
      }
    }
    return step
  }
}
