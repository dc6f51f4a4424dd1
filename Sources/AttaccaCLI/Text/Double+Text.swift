// SPDX-License-Identifier: Apache-2.0

extension Double {
  /// As "12.350"; halves go away from zero.
  ///
  /// - Precondition: 0...9 decimals, and a finite number of at most 2⁵³ in the last decimal's unit.
  func text(decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let value = Int((magnitude * Double(scale)).rounded())
    let sign = self < 0 && value > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(value)" }
    let fraction = "\(value % scale)"
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(sign)\(value / scale).\(zeros)\(fraction)"
  }
}
