// SPDX-License-Identifier: Apache-2.0

import MediaTime

#if canImport(AttaccaCLI)
  @testable import AttaccaCLI
#endif

/// Reads bytes as a time that someone has typed.
enum ClockTextCheck {
  static func run(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let time = ClockText.parse(text) else { return }
    try Finding.unless(
      time.isNumeric && time.value >= 0 && !time.hasBeenRounded && time.epoch == 0,
      "'\(text)' is \(time)")
    try Finding.unless(
      text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x3A },
      "'\(text)' is taken for a time")

    // By other means: numbers that the colons part, each sixty times the next.
    let whole = text.prefix { $0 != "." }
    let seconds = whole.split(separator: ":").reduce(Int64(0)) { $0 * 60 + (Int64($1) ?? -1) }
    let digits = text.drop { $0 != "." }.dropFirst()
    let parts = digits + String(repeating: "0", count: 9 - digits.count)
    let expected = seconds * 1_000_000_000 + (Int64(parts) ?? -1)
    try Finding.unless(
      time == MediaTime(value: expected, timescale: 1_000_000_000),
      "'\(text)' is \(time), not \(expected) ns")

    let exact = RationalTime(time)
    // Six digits of hours are read, and rounding may want a seventh.
    guard seconds < 999_999 * 3_600 else { return }
    guard let again = ClockText.parse(ClockText.exact(exact)) else {
      throw Finding("'\(text)' is written as \(ClockText.exact(exact))")
    }
    try Finding.unless(
      (again.value - time.value).magnitude <= 500_000,
      "'\(text)' is written as \(ClockText.exact(exact))")
    guard seconds < 1_000_000_000 - 1 else { return }
    guard let decimal = ClockText.parse(ClockText.decimal(exact)) else {
      throw Finding("'\(text)' is written as \(ClockText.decimal(exact))")
    }
    try Finding.unless(
      (decimal.value - time.value).magnitude <= 1_000,
      "'\(text)' is written as \(ClockText.decimal(exact))")
  }
}
