// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaBookmarks

/// Renders inputs into a file, and tells on standard error how it goes.
struct FileRendering {
  let inputs: Inputs
  let path: BytePath
  var rate: Int?
  var channels: Int?
  var sampleFormat: WrittenFileType.SampleFormat?
  var quality = RateConverter.Quality.veryHigh
  var fade = Fade.standard
  var start: MediaTime?
  /// Options for speed and pitch; nil for the natural ones.
  var speed: SpeedOptions?
  var effects: [any AudioEffect] = []
  var crossfade: ItemCrossfade?
  var normalization = LoudnessNormalization()
  /// Limiter behind all gains; nil for none.
  var limiter: LimiterEffect?
  var gap = MediaTime.zero
  /// Shortening of silences; nil for none.
  var silence: SilenceSkipping?
  /// What is left out of each file.
  var book = BookSettings()
  var overwrites = false

  init(inputs: Inputs, path: BytePath) {
    (self.inputs, self.path) = (inputs, BytePath(address: path) ?? path)
  }

  /// Takes what is between items from options.
  mutating func take(_ options: CrossfadeOptions) {
    (crossfade, gap) = (options.crossfade, options.gap ?? .zero)
  }

  /// Takes gains by loudness from options.
  mutating func take(_ options: ReplayGainOptions) {
    (normalization, limiter) = (options.normalization, options.limiter)
  }

  /// Sees to it that no input is lost for the output: by no other name, and not by force.
  private func refuseInput() throws(SoundFileError) {
    guard let identity = path.identity,
      let input = inputs.paths.first(where: { $0.identity == identity })
    else { return }
    throw SoundFileError(
      .unwritable, path: path.text, call: "FileRendering",
      cause: input == path ? "it is an input, too" : "it is an input, too, as ‘\(input)’")
  }

  /// Blocks until the file is there, or cannot be.
  func run() -> ExitStatus {
    let status: ExitStatus
    do throws(SoundFileError) {
      status = try render()
    } catch {
      let hint = error.kind == .exists ? "; --force replaces it" : ""
      TextOutput.errors.write("\(ErrorText.of(error))\(hint)\n".withoutControls)
      status = .refused
    }
    TextOutput.errors.flush()
    return status
  }

  private func render() throws(SoundFileError) -> ExitStatus {
    let type = try WrittenFileType(path: path, sampleFormat: sampleFormat)
    try refuseInput()
    let items = BookOptions.items(inputs.items, by: book)
    let rate = speed?.speed ?? 1
    let found = RenderingFormat(
      inputs.paths, items, rate: self.rate, channels: channels, fileType: type)
    // Where nothing can be read any format will do: the player says what is wrong with each.
    let format = found?.format ?? AudioFormat(sampleRate: self.rate ?? 48_000, layout: .stereo)
    let writer = try SoundFileWriter(
      path: path, format: format, fileType: type,
      dither: found?.needsDither ?? false || abs(rate) != 1 || !effects.isEmpty
        || crossfade != nil || silence != nil || normalization.mode != .off || limiter != nil,
      overwrite: overwrites)

    let source: any RenderingSource
    if start == nil && rate == 1 {
      source = BouncedItems(
        items, format: format, quality: quality, effects: effects, crossfade: crossfade,
        gap: gap, normalization: normalization, limiter: limiter, silence: silence)
    } else {
      let frames = OfflineFrames(format: format, quality: quality, limiter: limiter)
      frames.renderer.effects = effects
      if let speed { frames.renderer.audioTimePitchAlgorithm = speed.pitch.algorithm }
      let played = PlayedItems(items, from: start, by: frames, fade: fade)
      played.player.loudnessNormalization = normalization
      played.player.defaultRate = rate
      played.player.crossfade = crossfade
      played.player.gap = gap
      played.player.silenceSkipping = silence
      source = played
    }
    let watch = RenderingWatch(source: source, file: writer.partialFile)
    var end: RenderingEnd?
    do throws(RenderingEnd) {
      try source.render { samples throws(RenderingEnd) in
        if watch.isInterrupted { throw .interrupted }
        do throws(SoundFileError) {
          try writer.write(samples)
        } catch {
          throw .failed(error)
        }
        watch.rendered(frames: samples.count / format.channelCount, rate: format.sampleRate)
      } failed: {
        watch.failed($0, count: $1)
      }
    } catch {
      end = error
    }
    let failed = watch.finish(rate: format.sampleRate) + inputs.failures.count
    if case .failed(let error) = end { throw error }
    if watch.isInterrupted { return .signalled }
    guard writer.frameCount > 0 else {
      if failed == 0, let start, let path = inputs.paths.first,
        let complaint = StartPlace(path, start).complaint
      {
        TextOutput.errors.write("\(complaint)\n".withoutControls)
      }
      return .nothingPlayable
    }
    try writer.finish()
    if let text = SilenceOptions.text(source.skippedSilence) {
      TextOutput.errors.write(text + "\n")
    }
    if writer.saturatedSampleCount > 0 {
      TextOutput.errors.write(
        "\(path): \(writer.saturatedSampleCount) samples beyond full scale were saturated\n")
    }
    return ExitStatus(played: 1, failed: failed)
  }
}
