// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import Attacca

struct RenderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Writes what would be played into one file, as fast as it goes.",
    discussion: """
      Integers are exact where the sources allow it; dither is added where rate, channels or \
      depth of any source ask for more than the file holds.
      """)

  @Argument(help: "Files, folders, playlists, cue sheets or addresses of HTTP.")
  var inputs: [BytePath]

  @Option(
    name: .shortAndLong,
    help: "The new file: .wav, .flac, .aiff, .caf, .w64, .rf64, .ogg (Vorbis) or .opus.")
  var output: BytePath

  @Option(help: ArgumentHelp("Frames per second [first input's].", valueName: "hz"))
  var rate: Int?

  @Option(help: ArgumentHelp("1 to 8 channels [first input's].", valueName: "count"))
  var channels: Int?

  @Option(
    help: ArgumentHelp(
      "Samples in the file [int24 in FLAC, float32 in others].", valueName: "int16|int24|float32"))
  var format: WrittenFileType.SampleFormat?

  @Option(
    help: ArgumentHelp(
      "Quality of rate conversion.", valueName: "quick|low|medium|high|very-high"))
  var quality = QualityChoice.veryHigh

  @OptionGroup var speed: SpeedOptions

  @OptionGroup var crossfade: CrossfadeOptions

  @OptionGroup var silence: SilenceOptions

  @OptionGroup var loudness: ReplayGainOptions

  @OptionGroup var effects: EffectOptions

  @OptionGroup var lists: ListOptions

  @OptionGroup var network: NetworkOptions

  @OptionGroup var broadcasts: BroadcastOptions

  @Flag(help: "Replace the file if it is there.")
  var force = false

  @OptionGroup var errors: ErrorOptions

  func validate() throws {
    // A file of less would not be played.
    let rates = AudioFormat.lowestSourceRate...AudioFormat.highestSampleRate
    if let rate, !rates.contains(rate) {
      throw ValidationError(
        "--rate is \(rates.lowerBound) to \(rates.upperBound) Hz, not \(rate).")
    }
    if let channels, !(1...8).contains(channels) {
      throw ValidationError("--channels is 1 to 8, not \(channels).")
    }
  }

  func run() throws {
    let inputs = Inputs(self.inputs, lists, network.options(broadcasts.policy))
    inputs.reportFailures()
    var rendering = FileRendering(inputs: inputs, path: output)
    rendering.rate = rate
    rendering.channels = channels
    rendering.sampleFormat = format
    rendering.quality = quality.quality
    rendering.overwrites = force
    rendering.take(crossfade)
    rendering.take(loudness)
    rendering.silence = silence.skipping
    rendering.speed = speed
    rendering.effects = effects.effects
    try rendering.run().end()
  }
}

extension WrittenFileType.SampleFormat: ExpressibleByArgument {}
