// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Moments as ISO 8601 in UTC, "2026-11-25T01:44:43Z".
enum Timestamp {
  /// The text of a moment in seconds since 1970.
  static func text(_ seconds: Int64) -> String {
    var (time, parts) = (time_t(seconds), tm())
    guard gmtime_r(&time, &parts) != nil else { return "1970-01-01T00:00:00Z" }
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// Seconds since 1970 of "2026-11-25", with or without "T01:44:43Z", or of seconds in digits; nil for neither.
  static func seconds(_ text: String) -> Int64? {
    if let seconds = Int64(text) { return seconds }
    let text = text.last == "Z" ? text.dropLast() : text[...]
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count <= 2, let date = numbers(parts[0], "-") else { return nil }
    guard let clock = parts.count == 2 ? numbers(parts[1], ":") : [0, 0, 0] else { return nil }
    guard (1...12).contains(date[1]), (1...31).contains(date[2]), clock[0] < 24, clock[1] < 60,
      clock[2] <= 60
    else { return nil }
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (date[0] - 1_900, date[1] - 1, date[2])
    (time.tm_hour, time.tm_min, time.tm_sec) = (clock[0], clock[1], clock[2])
    return Int64(timegm(&time))
  }

  /// Three numbers of at most four digits, apart by a character.
  private static func numbers(_ text: Substring, _ separator: Character) -> [Int32]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let numbers = parts.compactMap { part in
      (1...4).contains(part.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int32(part) : nil
    }
    return numbers.count == 3 ? numbers : nil
  }
}
