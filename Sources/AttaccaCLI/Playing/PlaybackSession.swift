// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork
import Dispatch
import Glibc

/// Plays a list to its end with a terminal, or without one, in front of it.
///
/// Keys, signals and the player's events all arrive on one queue; `run` waits for the end.
final class PlaybackSession: @unchecked Sendable {
  // @unchecked: everything mutable is touched only on `queue`, but `ending`, which `run` reads
  // after the semaphore.
  let player: SampleBufferPlayer
  let queue = DispatchQueue(label: "attacca.session")
  private let output: PlayedOutput
  private let isOver = DispatchSemaphore(value: 0)
  /// Time from a pause until the last of the sound is out: the fade, and what a sink holds that
  /// cannot take it back.
  private let fadeOut: DispatchTimeInterval
  private var display: StatusDisplay?
  private var levels: HeardLevels?
  private var keys: SessionKeys?
  private var signals: SignalSources?

  private var shown = ShownItem()
  private var tally: SessionTally
  private var resumesOnContinue = false
  private var ending = SessionEnd()
  /// Memory of listening; nil where nothing is remembered.
  private let resuming: Resuming?
  /// The list as one item; nil where each of them counts by itself.
  var book: PlaylistTimeline?
  /// The sleep timer to begin with, whose fade is that of the key, too; nil for none.
  var sleepTimer: SleepTimer?

  /// A session; `failed` files are known not to play.
  init(
    player: SampleBufferPlayer, output: PlayedOutput, fade: Fade, failed: Int,
    resuming: Resuming? = nil
  ) {
    (self.player, self.output, self.resuming) = (player, output, resuming)
    tally = SessionTally(failed: failed)
    fadeOut = .milliseconds(fade.milliseconds + 150)
  }

  private var renderer: AudioRenderer { output.renderer }

  /// Plays from `start` in the first item on, to the end, with levels on the terminal where it `isMetered`.
  ///
  /// `events` are the player's since before anything could be current.
  func run(
    from start: MediaTime?, events: EventSequence<PlaybackEvent>, isMetered: Bool
  ) -> ExitStatus {
    if TextOutput.standard.isTerminal {
      display = StatusDisplay(queue: queue, milliseconds: isMetered ? 50 : 250) {
        [weak self] in self?.keys?.mayDraw == true ? self?.statusLine : nil
      }
      if isMetered {
        levels = HeardLevels(of: renderer, on: queue) { [weak self] in
          if let self, tally.played > 0 { display?.update() }
        }
      }
      // Half the shortest time between two drawings that differ.
      player.progressInterval = MediaTime(value: 1, timescale: 2)
      queue.sync { takeKeys() }
    }
    takeSignals()
    if let start { queue.sync { tally.start = StartPlace(player.playlist[0].bytePath, start) } }
    let observation = events.observe(on: queue) { [self] in note($0) }
    if let start { player.begin(at: start) }
    resuming?.remember { [weak self, queue] text in
      queue.async { [weak self] in self?.report(text) }
    }
    player.play()
    player.sleepTimer = sleepTimer
    isOver.wait()
    observation.cancel()
    return ending.status
  }

  // MARK: Events

  private func note(_ event: PlaybackEvent) {
    switch event {
    case .itemsDidFail, .progress, .rateDidChange, .chapterDidChange, .silenceSkipped: break
    default: if let line = tally.endRow() { report(line) }
    }
    switch event {
    case .currentItemDidChange(let item?): begin(item)
    // Skipped past the last item: failures of what was skipped may still be on their way.
    case .currentItemDidChange(nil): carryOut(ending.end(fades: true))
    case .chapterDidChange(let new): beginChapter(new)
    case .itemsDidFail(let failures):
      for line in tally.fail(failures) { report(line) }
    case .underrun: tally.underrun()
    case .didFallAsleep: carryOut(ending.end(fades: false, status: .done))
    case .endOfQueue:
      if let complaint = tally.complaint { report(complaint) }
      carryOut(ending.end(fades: false))
    case .failed(let error):
      report("attacca: \(ErrorText.of(error))")
      carryOut(ending.end(fades: false, status: .refused))
    case .tagsDidChange(let item, let tags): if item == shown.item { show(tags, of: item) }
    case .waitingEnded, .durationDidChange, .silenceSkipped: break
    case .rateDidChange, .itemDidFinish, .outputDidChange, .progress, .outputVolumeDidChange: break
    case .mediaServicesWereLost, .mediaServicesWereReset, .routeDidChange, .deviceRefused,
      .pitchFollowsRate, .waitingBegan,
      .interruptionBegan, .interruptionEnded:
      if let text = OutputNotice.text(event) { report("attacca: " + text) }
    }
    // Until an item is current there is nothing to tell.
    if tally.played > 0 { display?.update() }
  }

  private func begin(_ item: PlaylistItem) {
    shown.begin(item)
    tally.begin()
    let span = player.currentSpan
    // A short item may be over by now.
    show(span?.item == item ? span!.tags : Tags(), of: item)
  }

  private func show(_ tags: Tags, of item: PlaylistItem) {
    let name = shown.name(item, by: tags)
    output.setMediaName(shown.title)
    guard display == nil else { return }
    let index = player.playlist.index(of: item.id) ?? 0
    TextOutput.standard.write("\(index + 1) of \(player.playlist.count): \(name)\n")
  }

  private func beginChapter(_ new: Chapter?) {
    shown.begin(new)
    guard display == nil, !shown.chapter.isEmpty else { return }
    TextOutput.standard.write("  \(shown.chapter)\n")
  }

  private func report(_ text: String) {
    display?.clear()
    TextOutput.errors.write(text.onOneLine + "\n")
  }

  private var statusLine: StatusLine {
    let place = book.flatMap { BookPlace($0) }
    let time = place?.position.seconds ?? player.currentTime.seconds
    let duration = place?.length.seconds ?? player.duration?.seconds
    let index = shown.item.flatMap { player.playlist.index(of: $0.id) }
    return StatusLine(
      isPlaying: player.rate != 0, elapsed: Int(time.rounded(.down)),
      portion: duration.flatMap { $0 > 0 ? time / $0 : nil }, length: duration.map { Int($0) },
      isLonger: place?.isLonger ?? false,
      loaded: (shown.item?.source as? HTTPSource)?.loadedPortion,
      title: shown.text, number: (index ?? -1) + 1,
      count: player.playlist.count,
      volumePercent: volumePercent, speed: player.defaultRate,
      isLooped: player.loop != nil, underruns: tally.underruns,
      skipped: Int(player.skippedSilence.seconds),
      sleep: player.sleepTimer.map { SleepText.status($0, left: player.timeToSleep) },
      levels: levels?.levels(isPlaying: player.rate != 0))
  }

  // MARK: Keys

  private func takeKeys() {
    let keys = SessionKeys(
      queue: queue, press: { [weak self] in self?.press($0) },
      pressed: { [weak self] in
        if let self, tally.played > 0 { display?.updateAfterKey() }
      },
      returned: { [weak self] in self?.display?.update() })
    self.keys = keys
    keys.begin()
  }

  private func press(_ key: Key) {
    let step = MediaTime(value: 10, timescale: 1)
    switch key {
    case .next, .previous, .nextChapter, .previousChapter, .back, .forward, .tenth:
      resuming?.move()
    default: break
    }
    switch key {
    case .togglePause: if resuming?.togglePause() == nil { player.togglePlayPause() }
    case .next: player.next()
    case .previous: player.previous()
    case .nextChapter: player.nextChapter()
    case .previousChapter: player.previousChapter()
    case .loopChapter: if player.loop == nil { player.loopChapter() } else { player.endLoop() }
    case .back: seek(by: .zero - step)
    case .forward: seek(by: step)
    case .tenth(let number): seek(toTenth: number)
    case .louder: changeVolume(by: 5)
    case .quieter: changeVolume(by: -5)
    case .faster: changeSpeed(to: (speed * 10).rounded(.down) / 10 + 0.1)
    case .slower: changeSpeed(to: (speed * 10).rounded(.up) / 10 - 0.1)
    case .naturalSpeed: changeSpeed(to: 1)
    case .turn: play(at: -player.defaultRate)
    case .sleep: changeSleep()
    case .help:
      display?.clear()
      TextOutput.standard.write(Key.overview)
    case .quit: carryOut(ending.end(fades: true, status: .done))
    }
  }

  private func seek(by step: MediaTime) {
    if let book { book.seek(by: step) } else { player.seek(by: step) }
  }

  /// As far as the length of the whole is known.
  private func seek(toTenth number: Int) {
    guard let book, case .exact(let length) = book.duration else { return }
    let frames = RationalTime(length).frames(at: 1_000) * Int64(number) / 10
    book.seek(to: MediaTime(value: frames, timescale: 1_000))
  }

  private func changeVolume(by percent: Int) {
    // The cube, as the server's own volume: even steps for the ear.
    let part = Float(min(max(volumePercent + percent, 0), 100)) / 100
    renderer.volume = part * part * part
  }

  private var volumePercent: Int { Int((cbrtf(renderer.volume) * 100).rounded()) }

  /// The next end of those that there are.
  private func changeSleep() {
    player.sleepTimer = SleepText.next(after: player.sleepTimer?.end).map {
      SleepTimer($0, fade: sleepTimer?.fade ?? .zero)
    }
  }

  /// In whichever direction.
  private var speed: Double { abs(player.defaultRate) }

  /// Tenths, at least one, at most four times the natural speed: what is beyond is asked for by its
  /// option.
  private func changeSpeed(to speed: Double) {
    let speed = min(max((speed * 10).rounded() / 10, 0.1), 4)
    play(at: player.defaultRate < 0 ? -speed : speed)
  }

  /// At once, or when it goes on.
  private func play(at rate: Double) {
    player.defaultRate = rate
    if player.rate != 0 { player.play() }
  }

  // MARK: Signals

  private func takeSignals() {
    let signals = SignalSources(queue: queue)
    signals.on(SIGINT, SIGTERM, SIGHUP) { [weak self] in
      guard let self else { return }
      guard let step = ending.signalled() else { leaveAtOnce() }
      carryOut(step)
    }
    if display != nil {
      signals.on(SIGWINCH) { [weak self] in self?.display?.update() }
    }
    signals.on(SIGTSTP) { [weak self] in self?.suspend() }
    signals.on(SIGCONT) { [weak self] in self?.resume() }
    self.signals = signals
  }

  /// A second signal: the user does not want to wait, whatever it is that hangs.
  private func leaveAtOnce() -> Never {
    KeyTerminal.standardInput.leave()
    _exit(ExitStatus.signalled.rawValue)
  }

  private func suspend() {
    resumesOnContinue = player.rate != 0
    if resuming?.pause() == nil { player.pause() }
    queue.asyncAfter(deadline: .now() + fadeOut) { [self] in
      display?.clear()
      TextOutput.standard.flush(atMost: 1)
      KeyTerminal.standardInput.leave()
      kill(getpid(), SIGSTOP)
    }
  }

  private func resume() {
    if display != nil { keys?.resume() }
    if resumesOnContinue, resuming?.play() == nil { player.play() }
    resumesOnContinue = false
    display?.clear()
    display?.update()
  }

  // MARK: The end

  private func carryOut(_ step: SessionEnd.Step) {
    switch step {
    case .none: break
    case .finish(let isDecided): finish(isDecided: isDecided)
    case .fade(let isDecided):
      player.pause()
      queue.asyncAfter(deadline: .now() + fadeOut) { [self] in finish(isDecided: isDecided) }
    }
  }

  private func finish(isDecided: Bool) {
    guard signals != nil else { return }
    signals = nil
    if !isDecided { ending.conclude(played: tally.played, failed: tally.failed) }
    display?.clear()
    display = nil
    if let keys { keys.end() } else { KeyTerminal.standardInput.leave() }
    resuming?.close()
    if let text = SilenceOptions.text(player.skippedSilence) { report(text) }
    player.stop()
    // All lines of a whole playing are worth waiting for; a user who quits is not kept.
    TextOutput.standard.flush(atMost: isDecided ? 1 : nil)
    TextOutput.errors.flush(atMost: isDecided ? 1 : nil)
    isOver.signal()
  }
}
