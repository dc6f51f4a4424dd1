// SPDX-License-Identifier: Apache-2.0

@testable import AttaccaNetwork

/// Takes the titles out of bytes, the first of which says how much sound is between two.
enum TitleCheck {
  static func run(_ bytes: [UInt8]) throws {
    guard let first = bytes.first else { return }
    func heard(pieces: Int) -> (sound: [UInt8], titles: [String]) {
      var stripper = TitleStripper(interval: 1 + Int(first))
      var (sound, titles): ([UInt8], [String]) = ([], [])
      for start in stride(from: 1, to: bytes.count, by: pieces) {
        bytes[start..<min(start + pieces, bytes.count)].withUnsafeBytes {
          stripper.strip($0) {
            sound += $0
          } changed: {
            titles.append($0)
          }
        }
      }
      return (sound, titles)
    }
    let whole = try StepTime.bounded("titles") { heard(pieces: max(1, bytes.count)) }
    try Finding.unless(whole.sound.count < bytes.count, "more sound than bytes")
    let single = heard(pieces: 1)
    try Finding.unless(
      whole.sound == single.sound && whole.titles == single.titles,
      "titles that depend on how the bytes come")
    try Finding.unless(
      zip(whole.titles, whole.titles.dropFirst()).allSatisfy { $0 != $1 }, "a title twice")
  }
}
