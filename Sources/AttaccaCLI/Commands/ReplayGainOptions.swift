// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import Attacca

/// Options for gains by the loudness that tags tell.
struct ReplayGainOptions: ParsableArguments {
  @Option(
    name: .customLong("replay-gain"),
    help: ArgumentHelp(
      """
      Bring all to one loudness by their tags, as `attacca loudness --write` makes them: each by its own, by its \
      album's, or auto: by the album's between tracks of that album.
      """, valueName: "off|track|album|auto"))
  var mode = LoudnessNormalization.Mode.off

  @Option(
    name: .customLong("replay-gain-preamp"), parsing: .unconditional,
    help: ArgumentHelp("Decibels on top of the gains that tags tell, -40 to 40.", valueName: "dB"))
  var preamp: Float = 0

  @Option(
    name: .customLong("replay-gain-default"), parsing: .unconditional,
    help: ArgumentHelp("Gain of what has no such tags, -40 to 40.", valueName: "dB"))
  var defaultGain: Float = 0

  @Option(
    name: .customLong("replay-gain-clip"),
    help: ArgumentHelp(
      """
      Against clipping: no more gain than the peak in the tags lets it be, a limiter at -1 dB behind all gains, or \
      nothing.
      """, valueName: "peak|limiter|none"))
  var clipping = ClippingChoice.peak

  func validate() throws {
    for (name, gain) in [("preamp", preamp), ("default", defaultGain)]
    where !(-40...40).contains(gain) {
      throw ValidationError("--replay-gain-\(name) is -40 to 40 dB, not \(gain).")
    }
  }

  var normalization: LoudnessNormalization {
    LoudnessNormalization(
      mode: mode, preamp: preamp, defaultGain: defaultGain,
      clippingGuard: clipping == .peak ? .peak : .none)
  }

  /// A limiter behind all gains; nil where that was not asked for.
  ///
  /// What lies between samples is up to a decibel above them in music, as a rule.
  var limiter: LimiterEffect? {
    mode != .off && clipping == .limiter ? LimiterEffect(ceiling: -1) : nil
  }
}

extension LoudnessNormalization.Mode: ExpressibleByArgument {}
