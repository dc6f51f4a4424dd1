// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Chapters among Vorbis comments: CHAPTER001=00:01:02.345 and CHAPTER001NAME=Its title, in any order.
struct ChapterComments {
  private var starts: [Int: MediaTime] = [:]
  private var titles: [Int: String] = [:]

  /// - Returns: false for a comment about something else, or a time that is none.
  mutating func take(_ name: String, _ value: String) -> Bool {
    guard name.hasPrefix("CHAPTER") else { return false }
    let digits = name.dropFirst(7).prefix { $0.isASCII && $0.isNumber }
    guard (1...6).contains(digits.count), let number = Int(digits) else { return false }
    switch name.dropFirst(7 + digits.count) {
    case "":
      guard let start = Self.time(value) else { return false }
      if starts.count < Chapter.most, starts[number] == nil { starts[number] = start }
    case "NAME":
      if titles.count < Chapter.most, titles[number] == nil, !value.isEmpty {
        titles[number] = String(value.prefix(Chapter.longestTitle / 4))
      }
    // An address of it.
    case "URL": break
    default: return false
    }
    return true
  }

  /// In order; each ends where the next one begins.
  var chapters: [Chapter] {
    starts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
      Chapter(title: titles[$0.key], start: $0.value)
    }
  }

  /// Of "hh:mm:ss.nnn", with up to nine digits behind the point; nil for anything else.
  static func time(_ text: String) -> MediaTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = number(parts[0], digits: 1...5),
      let minutes = number(parts[1], digits: 1...2), minutes < 60
    else { return nil }
    // Some programs of countries with a decimal comma write that.
    let pieces = parts[2].split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard (1...2).contains(pieces.count), let seconds = number(pieces[0], digits: 1...2),
      seconds < 60
    else { return nil }
    var (fraction, unit) = (0, 1_000)
    if pieces.count == 2 {
      guard let value = number(pieces[1], digits: 1...9) else { return nil }
      // Milliseconds, where no digit says more.
      unit = (0..<max(3, pieces[1].count)).reduce(1) { unit, _ in unit * 10 }
      fraction = (pieces[1].count..<3).reduce(value) { value, _ in value * 10 }
    }
    let whole = UInt64((hours * 60 + minutes) * 60 + seconds)
    return Chapter.time(whole * UInt64(unit) + UInt64(fraction), timescale: Int32(unit))
  }

  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return nil
    }
    return Int(text)
  }
}
