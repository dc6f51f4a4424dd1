// SPDX-License-Identifier: Apache-2.0

/// Numbers as tags have them.
enum TagText {
  /// As "-6.50 dB".
  static func gain(_ decibels: Double) -> String { "\(fixed(decibels, decimals: 2)) dB" }

  /// As "0.988553"; rounded up, so that a gain that it permits is not too great.
  static func peak(_ peak: Double) -> String {
    fixed((peak * 1e6).rounded(.up) / 1e6, decimals: 6)
  }

  /// 1/256 dB to -23 LUFS, of a gain to -18 LUFS.
  static func opusGain(_ decibels: Double) -> String {
    "\(Int16(clamping: Int(((decibels - 5) * 256).rounded())))"
  }

  private static func fixed(_ number: Double, decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let units = Int((number.magnitude * Double(scale)).rounded())
    let fraction = "\(units % scale)"
    let zeros = String(repeating: "0", count: decimals - fraction.count)
    return "\(number < 0 && units > 0 ? "-" : "")\(units / scale).\(zeros)\(fraction)"
  }
}
