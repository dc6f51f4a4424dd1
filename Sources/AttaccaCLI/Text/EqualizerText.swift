// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Bands of an equalizer as they are written on a command line: `peak:1000:-3:1.4,high-pass:25`.
enum EqualizerText {
  /// Text that is no band, and why.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private static let shapes: [Substring: EqualizerEffect.Band.Shape] = [
    "peak": .peaking, "low-shelf": .lowShelf, "high-shelf": .highShelf, "low-pass": .lowPass,
    "high-pass": .highPass,
  ]

  private static let gains = -120.0...120
  private static let qualities = 0.01...100

  /// The bands of `text`, in its order.
  static func bands(_ text: String) throws(Fault) -> [EqualizerEffect.Band] {
    var bands: [EqualizerEffect.Band] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      bands.append(try band(part))
    }
    return bands
  }

  private static func band(_ text: Substring) throws(Fault) -> EqualizerEffect.Band {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let shape = parts.first.flatMap({ shapes[$0] }) else {
      throw Fault(
        description:
          "'\(text)' does not begin with peak, low-shelf, high-shelf, low-pass or high-pass.")
    }
    let hasGain = shape != .lowPass && shape != .highPass
    let numbers = parts.dropFirst().map { Double($0) ?? .nan }
    let least = hasGain ? 2 : 1
    guard (least...(least + 1)).contains(numbers.count), numbers.allSatisfy(\.isFinite) else {
      let wanted = hasGain ? "hertz, decibels and, if wanted, a Q" : "hertz and, if wanted, a Q"
      throw Fault(description: "'\(text)' is not \(parts[0]) with \(wanted).")
    }
    guard numbers[0] > 0 else {
      throw Fault(description: "'\(text)' has \(numbers[0]) Hz; more than 0 are permitted.")
    }
    if hasGain, !gains.contains(numbers[1]) {
      throw Fault(description: "'\(text)' has \(numbers[1]) dB; -120 to 120 are permitted.")
    }
    let q = numbers.count > least ? numbers[least] : 0.5.squareRoot()
    guard qualities.contains(q) else {
      throw Fault(description: "'\(text)' has a Q of \(q); 0.01 to 100 are permitted.")
    }
    return EqualizerEffect.Band(
      shape, frequency: numbers[0], gain: hasGain ? numbers[1] : 0, q: q)
  }
}
