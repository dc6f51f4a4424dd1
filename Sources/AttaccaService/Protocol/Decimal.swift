// SPDX-License-Identifier: Apache-2.0

/// Decimal numbers of the protocol, with a fixed number of places.
enum Decimal {
  /// Seconds of whole milliseconds, zero or more, with three places.
  static func text(milliseconds: Int64) -> String {
    let part = "\(milliseconds % 1_000)"
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - part.count) + part
  }

  /// `value` with `places` digits behind the point, rounded.
  static func text(_ value: Double, places: Int) -> String {
    guard value.isFinite else { return "nan" }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e18 else { return value < 0 ? "-inf" : "inf" }
    let number = UInt64(scaled)
    let (whole, part) = (number / UInt64(scale), number % UInt64(scale))
    let sign = value < 0 && number > 0 ? "-" : ""
    guard places > 0 else { return "\(sign)\(whole)" }
    let digits = "\(part)"
    return "\(sign)\(whole)." + String(repeating: "0", count: places - digits.count) + digits
  }
}
