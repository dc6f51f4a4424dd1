// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import Glibc

/// Options for silences within items.
struct SilenceOptions: ParsableArguments {
  @Flag(
    name: .customLong("skip-silence"),
    help: "Shorten silences, of which a fifth is heard, 2 s at most; times stay those of the file.")
  var isSkipped = false

  @Option(
    name: .customLong("silence-threshold"), parsing: .unconditional,
    help: ArgumentHelp(
      "Level up to which --skip-silence takes sound for silence, -120 to 0 dB of full scale (default: -30.1).",
      valueName: "dB"))
  var threshold: Float?

  @Option(
    name: .customLong("silence-minimum"),
    help: ArgumentHelp(
      "Milliseconds of the shortest silence that --skip-silence shortens, 2 to 60000 (default: 25).",
      valueName: "ms"))
  var minimum: Int?

  @Option(
    name: .customLong("silence-kept"),
    help: ArgumentHelp(
      "Percentage of a silence that --skip-silence keeps, 0 to 100 (default: 20).", valueName: "%"))
  var kept: Int?

  /// The shortening that was asked for; nil for none.
  var skipping: SilenceSkipping? {
    guard isSkipped else { return nil }
    let standard = SilenceSkipping()
    return SilenceSkipping(
      threshold: threshold.map { powf(10, $0 / 20) } ?? standard.threshold,
      minimumDuration: minimum.map { MediaTime(value: Int64($0), timescale: 1_000) }
        ?? standard.minimumDuration,
      retainedFraction: kept.map { Float($0) / 100 } ?? standard.retainedFraction)
  }

  /// What has been left out, in words; nil for nothing.
  static func text(_ skipped: MediaTime) -> String? {
    guard skipped > .zero else { return nil }
    return "attacca: \(ClockText.exact(RationalTime(skipped))) of silence left out"
  }

  func validate() throws {
    guard isSkipped || (threshold == nil && minimum == nil && kept == nil) else {
      throw ValidationError("Silences are shortened by --skip-silence, which is missing.")
    }
    if let threshold, !(-120...0).contains(threshold) {
      throw ValidationError("--silence-threshold is -120 to 0 dB, not \(threshold).")
    }
    if let minimum, !(2...60_000).contains(minimum) {
      throw ValidationError("--silence-minimum is 2 to 60000 ms, not \(minimum).")
    }
    if let kept, !(0...100).contains(kept) {
      throw ValidationError("--silence-kept is 0 to 100 %, not \(kept).")
    }
  }
}
