// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// Options for what lies between items: an overlap, silence, or nothing.
struct CrossfadeOptions: ParsableArguments {
  @Option(
    name: .customLong("crossfade"),
    help: ArgumentHelp(
      """
      Seconds by which items overlap, 0 to 60, except tracks of an album in its order; less where an item \
      is too short.
      """, valueName: "s"))
  var seconds = 0.0

  @Option(
    name: .customLong("crossfade-curve"),
    help: ArgumentHelp(
      "Gains of the two: equal-power, or linear for what is alike.",
      valueName: "equal-power|linear"))
  var curve = CurveChoice.equalPower

  @Flag(name: .customLong("crossfade-albums"), help: "Have tracks of an album overlap too.")
  var includesAlbums = false

  @Option(
    name: .customLong("gap"),
    help: ArgumentHelp(
      "Silence between items, 0 to 3600 s, exact to the frame; a cue sheet's own (PREGAP) counts more.",
      valueName: "s"),
    transform: { text in
      guard let time = ClockText.parse(text), time <= MediaTime(value: 3_600, timescale: 1) else {
        throw ValidationError("--gap is 0 to 3600 s, not '\(text)'.")
      }
      return time
    })
  var gap: MediaTime?

  /// The overlap that was asked for; nil for none.
  var crossfade: ItemCrossfade? {
    let duration = MediaTime(value: Int64((seconds * 1e6).rounded()), timescale: 1_000_000)
    guard duration > .zero else { return nil }
    return ItemCrossfade(
      duration: duration, curve: curve.curve, includesAlbums: includesAlbums)
  }

  func validate() throws {
    guard (0...60).contains(seconds) else {
      throw ValidationError("--crossfade is 0 to 60 s, not \(seconds).")
    }
    guard seconds == 0 || gap ?? .zero == .zero else {
      throw ValidationError("Items overlap by --crossfade, or have a --gap between them.")
    }
  }
}
