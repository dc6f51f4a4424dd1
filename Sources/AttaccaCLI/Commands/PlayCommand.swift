// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Plays files, folders, playlists and addresses one after the other, without gaps.",
    discussion: """
      Keys: space pauses and goes on, n and p go to the next and the previous item, left and \
      right 10 s back and on, up and down or + and - change the volume, [ and ] the speed, \
      backspace plays at the natural one, 0 to 9 go to tenths of a --book, { and } go to the previous and the next chapter, l plays \
      the chapter over and over, or no longer, r turns round, z goes through the ends that a sleep \
      timer can have, ? shows this, q quits.
      """)

  @Argument(
    help: """
      Files, folders, playlists, cue sheets or addresses of HTTP; with --resume none is the list that was played last.
      """)
  var inputs: [BytePath] = []

  @Option(
    help: ArgumentHelp(
      """
      Where to: auto, pulse, null (silence in real time) or a new file, whose extension says of \
      which type. auto is pulse, or null where there is no sound server.
      """, valueName: "auto|pulse|null|file"))
  var output = OutputChoice.auto

  @Option(help: "The sound server's output, as `attacca devices` names it.")
  var device: String?

  @Option(
    help: ArgumentHelp(
      """
      How much the sound server holds, and the blocks in which its device takes that: responsive \
      (2 s, 5 ms), power-saving (2 s, 50 ms), balanced (0.5 s, 5 ms) or low (60 ms, 7 ms).
      """, valueName: "responsive|power-saving|balanced|low"))
  var latency = LatencyChoice.responsive

  @Option(help: ArgumentHelp("Fade of pauses, seeks and skips, 0 to 1000 ms.", valueName: "ms"))
  var fade = Fade.standard.milliseconds

  @Option(
    help: ArgumentHelp(
      "Where in the first item to begin: seconds or h:mm:ss.", valueName: "time"),
    transform: { text in
      guard let time = ClockText.parse(text) else {
        throw ValidationError("'\(text)' is neither seconds nor h:mm:ss.")
      }
      return time
    })
  var start: MediaTime?

  @Option(
    help: ArgumentHelp(
      "The chapter of the first item to begin with, as `attacca probe` counts them.",
      valueName: "number"))
  var chapter: Int?

  @Flag(
    help: """
      Go on where listening ended, and remember from now on: in the input that was heard last, or in the whole list \
      where no input is given. After a pause it goes back a little.
      """)
  var resume = false

  @Option(
    name: .customLong("repeat"),
    help: ArgumentHelp(
      "Play one item, or all, over and over (default: off).", valueName: "off|one|all"))
  var repeats: RepeatChoice?

  @Option(
    help: ArgumentHelp(
      """
      Play in an order that the number decides, the same for the same number; without one, in \
      another order each time.
      """, valueName: "seed"))
  var shuffle: ShuffleChoice?

  @Flag(help: "Replace the file that --output names if it is there.")
  var force = false

  @Flag(help: "Show the level of what is heard: peaks of the left and the right channel.")
  var meter = false

  @Flag(
    help: """
      Pause when the output goes away, or headphones are pulled out, in place of going on elsewhere.
      """)
  var pauseOnUnplug = false

  @OptionGroup var speed: SpeedOptions

  @OptionGroup var crossfade: CrossfadeOptions

  @OptionGroup var book: BookOptions

  @OptionGroup var silence: SilenceOptions

  @OptionGroup var loudness: ReplayGainOptions

  @OptionGroup var sleeping: SleepOptions

  @OptionGroup var effects: EffectOptions

  @OptionGroup var lists: ListOptions

  @OptionGroup var network: NetworkOptions

  @OptionGroup var errors: ErrorOptions

  func validate() throws {
    guard resume || !inputs.isEmpty else {
      throw ValidationError("Missing expected argument '<inputs> ...'")
    }
    if case .file = output, resume {
      throw ValidationError("--resume is for listening, not for a file.")
    }
    if resume, start != nil || chapter != nil {
      throw ValidationError("--resume says where to begin; --start and --chapter do, too.")
    }
    if case .file = output, sleeping.sleep != nil {
      throw ValidationError("--sleep is for listening, not for a file.")
    }
    if sleeping.fade != nil, sleeping.sleep == nil {
      throw ValidationError("--sleep-fade is the fade before the end that --sleep names.")
    }
    if case .file = output, repeats ?? .off != .off || shuffle != nil {
      throw ValidationError("--repeat and --shuffle are for playing, not for a file.")
    }
    if device != nil, output != .auto, output != .pulse {
      throw ValidationError("--device is an output of the sound server, which --output leaves out.")
    }
    if case .file = output, meter {
      throw ValidationError(
        "--meter shows what is heard, and nothing is of a file that is written.")
    }
    if start != nil, chapter != nil {
      throw ValidationError("--start and --chapter are two places to begin.")
    }
    if let chapter, chapter < 1 {
      throw ValidationError("--chapter is 1 for the first one, not \(chapter).")
    }
    guard (0...1_000).contains(fade) else {
      throw ValidationError("--fade is 0 to 1000 ms, not \(fade).")
    }
  }

  func run() throws {
    let inputs = Inputs(self.inputs, lists, network.options)
    inputs.reportFailures()
    guard !inputs.paths.isEmpty || self.inputs.isEmpty else {
      TextOutput.errors.flush()
      return try ExitStatus.nothingPlayable.end()
    }
    let start = try chapter.map { try ChapterPlace($0, of: inputs.entries[0]).start } ?? start
    if case .file(let path) = output { return try render(inputs, to: path, from: start) }

    let played = try openOutput()
    let renderer = played.renderer
    let player = SampleBufferPlayer(renderer: renderer, fade: Fade(milliseconds: fade))
    let store = resume ? try Resuming.openStore() : nil
    let bookPath = self.inputs.count == 1 ? self.inputs[0] : nil
    let settings = try Resuming.settings(of: bookPath, book, in: store)
    player.playlist.append(contentsOf: BookOptions.items(inputs.items, by: settings))
    let events = player.events
    let resuming = try store.map {
      try Resuming(
        player, $0, network.options, isWhole: self.inputs.isEmpty, book: bookPath,
        speed: speed.asked)
    }
    // What is asked for counts more than what was saved. Where it goes on is the first item of another order.
    if let shuffle { player.playlist.shuffle(seed: shuffle.seed) }
    if let repeats { player.setRepeatMode(repeats.mode) }
    player.loudnessNormalization = loudness.normalization
    renderer.effects = effects.effects
    renderer.audioTimePitchAlgorithm = speed.pitch.algorithm
    if let asked = speed.asked { player.defaultRate = asked }
    player.crossfade = crossfade.crossfade
    player.gap = crossfade.gap ?? .zero
    player.silenceSkipping = silence.skipping
    player.pausesWhenUnplugged = pauseOnUnplug
    let session = PlaybackSession(
      player: player, events: events, output: played, fade: Fade(milliseconds: fade),
      failed: inputs.failures.count, resuming: resuming)
    session.sleepTimer = sleeping.timer
    if book.isBook { session.book = PlaylistTimeline(player: player) }
    try session.run(from: start, isMetered: meter).end()
  }

  private func render(_ inputs: Inputs, to path: BytePath, from start: MediaTime?) throws {
    var rendering = FileRendering(inputs: inputs, path: path)
    rendering.fade = Fade(milliseconds: fade)
    rendering.start = start
    rendering.overwrites = force
    rendering.crossfade = crossfade.crossfade
    rendering.take(loudness)
    rendering.gap = crossfade.gap ?? .zero
    rendering.silence = silence.skipping
    (rendering.speed, rendering.pitch) = (speed.speed, speed.pitch)
    rendering.effects = effects.effects
    try rendering.run().end()
  }

  private func openOutput() throws -> PlayedOutput {
    if output == .null { return .silence(latency.latency, loudness.limiter) }
    do throws(PulseError) {
      return try .pulse(device, latency.latency, loudness.limiter)
    } catch {
      // A device that was asked for by name is not replaced by silence.
      guard output == .auto, device == nil else {
        TextOutput.errors.write("attacca: \(ErrorText.of(error))\n")
        TextOutput.errors.flush()
        throw ExitCode(ExitStatus.refused.rawValue)
      }
      TextOutput.errors.write("attacca: \(ErrorText.of(error)); playing in silence\n")
      return .silence(latency.latency, loudness.limiter)
    }
  }
}
