// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Times as people write them.
enum ClockText {
  /// "3:07", "1:03:07"; "-0:02" in the silence in front of an item.
  static func short(seconds: Int) -> String {
    if seconds < 0 { return "-" + short(seconds: -seconds) }
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
    return hours == 0
      ? "\(minutes):\(two(seconds % 60))" : "\(hours):\(two(minutes)):\(two(seconds % 60))"
  }

  /// "0:03:07.250"; halves of a millisecond go up.
  static func exact(_ time: RationalTime) -> String {
    let milliseconds = Int(time.frames(at: 1_000))
    let seconds = milliseconds / 1_000
    return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))."
      + three(milliseconds % 1_000)
  }

  /// Seconds with six decimals, "187.250000".
  static func decimal(_ time: RationalTime) -> String {
    let microseconds = Int(time.frames(at: 1_000_000))
    return "\(microseconds / 1_000_000)." + three(microseconds / 1_000 % 1_000)
      + three(microseconds % 1_000)
  }

  /// Seconds with nine decimals.
  static func nanoseconds(_ time: RationalTime) -> String {
    let all = Int(time.frames(at: 1_000_000_000))
    let digits = String(all % 1_000_000_000)
    return "\(all / 1_000_000_000)." + String(repeating: "0", count: 9 - digits.count) + digits
  }

  /// Reads "187.25", "3:07" or "1:03:07.250"; nil for anything else.
  static func parse(_ text: String) -> MediaTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), let last = parts.last else { return nil }
    var seconds = 0
    for (i, part) in parts.dropLast().enumerated() {
      guard let value = number(part, digits: 6), i == 0 || value < 60 else { return nil }
      seconds = seconds * 60 + value
    }
    let pieces = last.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(pieces.count), let whole = number(pieces[0], digits: 9),
      parts.count == 1 || whole < 60
    else { return nil }
    seconds = seconds * 60 + whole
    var nanoseconds = 0
    if pieces.count == 2 {
      guard let value = number(pieces[1], digits: 9) else { return nil }
      nanoseconds = (pieces[1].count..<9).reduce(value) { value, _ in value * 10 }
    }
    return MediaTime(
      value: Int64(seconds) * 1_000_000_000 + Int64(nanoseconds), timescale: 1_000_000_000)
  }

  private static func number(_ text: Substring, digits: Int) -> Int? {
    guard (1...digits).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return Int(text)
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
  private static func three(_ value: Int) -> String { value < 100 ? "0" + two(value) : "\(value)" }
}
