// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Times as lists write them.
enum ListTime {
  /// Seconds with a fraction, "-1" and what is no number among them, as nil; nine digits of the fraction count.
  static func seconds(_ text: some StringProtocol) -> MediaTime? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, let seconds = whole.isEmpty ? 0 : number(whole),
      seconds < 4_000_000_000, parts.count == 1 || !(whole.isEmpty && parts[1].isEmpty)
    else { return nil }
    guard parts.count == 2 else { return MediaTime(value: seconds, timescale: 1) }
    let digits = parts[1].prefix(9)
    guard parts[1].utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let nanoseconds = number(digits + String(repeating: "0", count: 9 - digits.count)) ?? 0
    return MediaTime(value: seconds * 1_000_000_000 + nanoseconds, timescale: 1_000_000_000)
  }

  /// The same of bytes; in long lists most are digits alone, which need no text.
  static func seconds(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> MediaTime? {
    guard 1...9 ~= bytes.count, bytes.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      return seconds(String(decoding: bytes, as: UTF8.self))
    }
    return MediaTime(value: bytes.reduce(0) { 10 * $0 + Int64($1 - 0x30) }, timescale: 1)
  }

  /// "h:mm:ss.fff", or fewer parts; nil for what is no time.
  static func clock(_ text: some StringProtocol) -> MediaTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count), var time = seconds(parts[parts.count - 1]) else {
      return nil
    }
    for (part, unit) in zip(parts.dropLast().reversed(), [60, 3_600] as [Int64]) {
      guard let count = number(part), count < 1_000_000 else { return nil }
      time = time + MediaTime(value: count * unit, timescale: 1)
    }
    return time
  }

  /// Digits alone.
  static func number(_ text: some StringProtocol) -> Int64? {
    text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
  }

  /// Seconds with as many of nine digits as it takes.
  static func text(_ time: MediaTime) -> String {
    let nanoseconds = RationalTime(time).frames(at: 1_000_000_000)
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    guard rest > 0 else { return "\(whole)" }
    let digits = String(String(1_000_000_000 + rest).dropFirst())
    return "\(whole).\(digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }

  /// "h:mm:ss.fff".
  static func clockText(_ time: MediaTime) -> String {
    let parts = text(time).split(separator: ".")
    let seconds = Int64(parts[0]) ?? 0
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    return parts.count == 2 ? "\(clock).\(parts[1])" : clock
  }
}
