// SPDX-License-Identifier: Apache-2.0

/// A line through values at equal distances, by least squares.
struct Slope: CustomStringConvertible {
  /// By how much a value is more than the one before, and the standard error of that.
  let value, error: Double

  /// - Precondition: more than two values.
  init(_ values: [Int]) {
    let n = Double(values.count)
    let x = values.indices.map(Double.init), y = values.map(Double.init)
    let (meanX, meanY) = (x.reduce(0, +) / n, y.reduce(0, +) / n)
    let spread = x.map { ($0 - meanX) * ($0 - meanX) }.reduce(0, +)
    let slope = zip(x, y).map { ($0 - meanX) * ($1 - meanY) }.reduce(0, +) / spread
    let rest = zip(x, y).map { x, y in
      let off = y - meanY - slope * (x - meanX)
      return off * off
    }
    value = slope
    error = (rest.reduce(0, +) / (n - 2) / spread).squareRoot()
  }

  /// Tells whether it is 0 within three standard errors, or below `limit`.
  func isFlat(below limit: Double) -> Bool { abs(value) <= 3 * error || abs(value) < limit }

  var description: String { "\(Self.rounded(value)) ± \(Self.rounded(error))" }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
