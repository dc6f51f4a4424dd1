// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// Options for the speed and the pitch.
struct SpeedOptions: ParsableArguments {
  // Unconditional: what begins with a dash may be a number.
  @Option(
    name: .customLong("speed"), parsing: .unconditional,
    help: ArgumentHelp(
      """
      How fast, 1 being the natural speed: 1/32 to 32, or the negative of that, backwards (default: 1.0).
      """,
      valueName: "times"))
  var asked: Double?

  /// The speed that was asked for, or the natural one.
  var speed: Double { asked ?? 1 }

  @Option(
    help: ArgumentHelp(
      """
      The pitch at another speed: keep, which speech wants and which reaches from 1/4 to 4, or \
      follow, as with tape.
      """, valueName: "keep|follow"))
  var pitch = PitchChoice.keep

  func validate() throws {
    guard RenderSynchronizer.rates.contains(abs(speed)) else {
      throw ValidationError("--speed is 1/32 to 32, or -1/32 to -32, not \(speed).")
    }
  }
}
