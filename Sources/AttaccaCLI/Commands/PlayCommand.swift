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

  @OptionGroup var sink: OutputOptions

  @OptionGroup var beginning: BeginOptions

  @OptionGroup var order: OrderOptions

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

  @OptionGroup var broadcasts: BroadcastOptions

  @OptionGroup var errors: ErrorOptions

  func validate() throws {
    guard beginning.resume || !inputs.isEmpty else {
      throw ValidationError("Missing expected argument '<inputs> ...'")
    }
    if sleeping.fade != nil, sleeping.sleep == nil {
      throw ValidationError("--sleep-fade is the fade before the end that --sleep names.")
    }
    guard sink.isFile else { return }
    if beginning.resume {
      throw ValidationError("--resume is for listening, not for a file.")
    }
    if sleeping.sleep != nil {
      throw ValidationError("--sleep is for listening, not for a file.")
    }
    guard order.isPlain else {
      throw ValidationError("--repeat and --shuffle are for playing, not for a file.")
    }
    if meter {
      throw ValidationError(
        "--meter shows what is heard, and nothing is of a file that is written.")
    }
  }

  func run() throws {
    let inputs = Inputs(self.inputs, lists, network.options(broadcasts.policy))
    inputs.reportFailures()
    guard !inputs.paths.isEmpty || self.inputs.isEmpty else {
      TextOutput.errors.flush()
      return try ExitStatus.nothingPlayable.end()
    }
    let chapter = try beginning.chapter.map { try ChapterPlace($0, of: inputs.entries[0]).start }
    let (start, fade) = (chapter ?? beginning.start, Fade(milliseconds: sink.fade))
    if case .file(let path) = sink.output {
      return try render(inputs, to: path, from: start, fade: fade)
    }

    let played = try sink.open(loudness.limiter)
    let renderer = played.renderer
    let player = SampleBufferPlayer(renderer: renderer, fade: fade)
    let store = beginning.resume ? try Resuming.openStore() : nil
    let bookPath = self.inputs.count == 1 ? self.inputs[0] : nil
    let settings = try Resuming.settings(of: bookPath, book, in: store)
    player.playlist.append(contentsOf: BookOptions.items(inputs.items, by: settings))
    let events = player.events
    let resuming = try store.map {
      try Resuming(
        player, $0, inputs, isWhole: self.inputs.isEmpty, book: bookPath,
        speed: speed.asked)
    }
    // What is asked for counts more than what was saved. Where it goes on is the first item of another order.
    order.apply(to: player)
    player.loudnessNormalization = loudness.normalization
    renderer.effects = effects.effects
    renderer.audioTimePitchAlgorithm = speed.pitch.algorithm
    if let asked = speed.asked { player.defaultRate = asked }
    player.crossfade = crossfade.crossfade
    player.gap = crossfade.gap ?? .zero
    player.silenceSkipping = silence.skipping
    player.pausesWhenUnplugged = pauseOnUnplug
    let session = PlaybackSession(
      player: player, output: played, fade: fade, failed: inputs.failures.count, resuming: resuming)
    session.sleepTimer = sleeping.timer
    if book.isBook { session.book = PlaylistTimeline(player: player) }
    try session.run(from: start, events: events, isMetered: meter).end()
  }

  private func render(
    _ inputs: Inputs, to path: BytePath, from start: MediaTime?, fade: Fade
  ) throws {
    var rendering = FileRendering(inputs: inputs, path: path)
    rendering.fade = fade
    rendering.start = start
    rendering.overwrites = force
    rendering.take(crossfade)
    rendering.take(loudness)
    rendering.silence = silence.skipping
    rendering.book = book.settings(over: nil)
    rendering.speed = speed
    rendering.effects = effects.effects
    try rendering.run().end()
  }
}
