// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// Effects that all sound goes through.
struct EffectOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Bands that the sound goes through, with commas between them: peak, low-shelf or high-shelf with \
      hertz, decibels and, if wanted, a Q, as peak:1000:-3:1.4; low-pass or high-pass with hertz and, \
      if wanted, a Q, as high-pass:25.
      """, valueName: "bands"),
    transform: { text in
      do throws(EqualizerText.Fault) {
        return try EqualizerText.bands(text)
      } catch {
        throw ValidationError("--equalizer: \(error)")
      }
    })
  var equalizer: [EqualizerEffect.Band] = []

  // Unconditional: what begins with a dash may be a number.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Decibels of full scale, -60 to 0, that no sample exceeds: a limiter behind the equalizer, which \
      looks ahead 5 ms.
      """, valueName: "dB"))
  var limiter: Float?

  func validate() throws {
    if let limiter, !(-60...0).contains(limiter) {
      throw ValidationError("--limiter is -60 to 0 dB, not \(limiter).")
    }
  }

  /// The equalizer, and behind it the limiter; those that were asked for.
  var effects: [any AudioEffect] {
    var effects: [any AudioEffect] = []
    if !equalizer.isEmpty { effects.append(EqualizerEffect(equalizer)) }
    if let limiter { effects.append(LimiterEffect(ceiling: limiter)) }
    return effects
  }
}
