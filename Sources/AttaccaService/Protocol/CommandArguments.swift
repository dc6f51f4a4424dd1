// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Arguments of one command, read as what they are to be, with MPD's words for what they are not.
struct CommandArguments: RandomAccessCollection, Hashable, Sendable {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  var startIndex: Int { 0 }
  var endIndex: Int { words.count }
  subscript(index: Int) -> String { words[index] }

  /// The arguments from one on.
  func from(_ index: Int) -> CommandArguments { CommandArguments(Array(words.dropFirst(index))) }

  /// The greatest number that is taken, MPD's `int`.
  static let greatest = Int(Int32.max)

  // MARK: Numbers

  func integer(
    _ index: Int, in range: ClosedRange<Int> = -Int(Int32.max)...Int(Int32.max)
  ) throws(CommandError) -> Int {
    let text = words[index]
    guard let value = Self.number(text) else {
      throw CommandError(.argument, "Integer expected: \(text)")
    }
    guard value >= range.lowerBound else {
      throw CommandError(.argument, "Number too small: \(text)")
    }
    guard value <= range.upperBound else {
      throw CommandError(.argument, "Number too large: \(text)")
    }
    return value
  }

  func unsigned(_ index: Int, atMost limit: Int = Int(Int32.max)) throws(CommandError) -> Int {
    let text = words[index]
    guard let value = Self.number(text) else {
      throw CommandError(.argument, "Integer expected: \(text)")
    }
    // As a number without a sign it would be a very great one.
    guard value >= 0, value <= limit else {
      throw CommandError(.argument, "Number too large: \(text)")
    }
    return value
  }

  func bool(_ index: Int) throws(CommandError) -> Bool {
    switch words[index] {
    case "0": return false
    case "1": return true
    default: throw CommandError(.argument, "Boolean (0/1) expected: \(words[index])")
    }
  }

  /// A finite decimal number.
  func float(_ index: Int) throws(CommandError) -> Double {
    guard let value = Double(words[index]), value.isFinite else {
      throw CommandError(.argument, "Float expected: \(words[index])")
    }
    return value
  }

  /// Digits with a sign in front, or none; too large a number is one that no limit permits.
  static func number(_ text: some StringProtocol) -> Int? {
    let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text) ?? (text.first == "-" ? .min : .max)
  }

  // MARK: Ranges

  func range(_ index: Int) throws(CommandError) -> SongRange {
    let text = words[index]
    let wrong = CommandError(.argument, "Integer or range expected: \(text)")
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let start = Self.number(parts[0]) else { throw wrong }
    // Very old clients mean all of it by this.
    if start == -1, parts.count == 1 { return .all }
    guard start >= 0 else { throw CommandError(.argument, "Number is negative: \(text)") }
    guard start <= Self.greatest else {
      throw CommandError(.argument, "Number too large: \(text)")
    }
    guard parts.count == 2 else { return SongRange(start: start, end: start + 1) }
    guard !parts[1].isEmpty else { return SongRange(start: start, end: nil) }
    guard let end = Self.number(parts[1]) else { throw wrong }
    guard end >= 0 else { throw CommandError(.argument, "Number is negative: \(text)") }
    guard end <= Self.greatest else {
      throw CommandError(.argument, "Number too large: \(text)")
    }
    return SongRange(start: start, end: end)
  }

  /// A place to put songs at, in a list of `count` of which `current` is heard: "4", or "+0" for behind the current song
  /// and "-0" for in front of it.
  func place(_ index: Int, count: Int, current: Int?) throws(CommandError) -> Int {
    let text = words[index]
    guard text.first == "+" || text.first == "-" else { return try unsigned(index, atMost: count) }
    guard let current else { throw CommandError(.playerSync, "No current song") }
    guard let distance = Self.number(text.dropFirst()), distance >= 0 else {
      throw CommandError(.argument, "Integer expected: \(text.dropFirst())")
    }
    guard distance <= (text.first == "+" ? count - current - 1 : current) else {
      throw CommandError(.argument, "Number too large: \(text.dropFirst())")
    }
    return text.first == "+" ? current + 1 + distance : current - distance
  }
}
