// SPDX-License-Identifier: Apache-2.0

/// Nanoseconds as milliseconds to be read.
enum Milliseconds {
  /// As "12.35"; halves go up.
  static func text(_ nanoseconds: Int, decimals: Int = 2) -> String {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let unit = 1_000_000 / scale
    let value = (nanoseconds + unit / 2) / unit
    guard decimals > 0 else { return "\(value)" }
    let fraction = "\(value % scale)"
    return "\(value / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }
}
