// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork
import Dispatch
import Glibc

/// Plays a list to its end with a terminal, or without one, in front of it.
///
/// Keys, signals and the player's events all arrive on one queue; `run` waits for the end.
final class PlaybackSession: @unchecked Sendable {
  // @unchecked: everything mutable is touched only on `queue`, but `status`, which `run` reads
  // after the semaphore.
  let player: SampleBufferPlayer
  let queue = DispatchQueue(label: "attacca.session")
  private let renderer: AudioRenderer
  private let isOver = DispatchSemaphore(value: 0)
  /// How long after a pause the last of the sound is out: the fade, and what a sink holds that
  /// cannot take it back.
  private let fadeOut: DispatchTimeInterval
  private var display: StatusDisplay?
  private let isMetered: Bool
  private var levels: HeardLevels?
  private var keys: (any DispatchSourceRead)?
  /// Set while another process has the terminal.
  private var isAway = false
  private var reader = KeyReader()
  private var signals: SignalSources?

  private var current: PlaylistItem?
  private var title = ""
  /// The title of the chapter that is heard; empty for none.
  private var chapter = ""
  private var played = 0
  private var failed: Int
  private var failureLines = FailureLines()
  /// Where the first item was to begin.
  private var start: StartPlace?
  private var underruns = 0
  private var volumePercent = 100
  private var isEnding = false
  private var hasSignalled = false
  private var resumesOnContinue = false
  private var status = ExitStatus.done
  /// What listening is remembered by; nil where it is not.
  private let resuming: Resuming?

  /// A session; `failed` files are known not to play.
  init(
    player: SampleBufferPlayer, renderer: AudioRenderer, fade: Fade, failed: Int, isMetered: Bool,
    resuming: Resuming? = nil
  ) {
    (self.player, self.renderer, self.failed) = (player, renderer, failed)
    self.resuming = resuming
    self.isMetered = isMetered
    fadeOut = .milliseconds(fade.milliseconds + 150)
  }

  /// Plays from `start` in the first item on, to the end.
  func run(from start: MediaTime?) -> ExitStatus {
    let events = player.events
    if TextOutput.standard.isTerminal {
      display = StatusDisplay(queue: queue, milliseconds: isMetered ? 50 : 250) {
        [unowned self] in mayDraw ? statusLine : nil
      }
      if isMetered {
        levels = HeardLevels(of: renderer, on: queue) { [unowned self] in
          if played > 0 { display?.update() }
        }
      }
      // Half the shortest time between two drawings that differ.
      player.progressInterval = MediaTime(value: 1, timescale: 2)
      queue.sync { takeKeys() }
    }
    takeSignals()
    if let start { queue.sync { self.start = StartPlace(player.playlist[0].bytePath, start) } }
    let observation = events.observe(on: queue) { [self] in note($0) }
    if let start { player.begin(at: start) }
    resuming?.remember { [unowned self] text in queue.async { self.report(text) } }
    player.play()
    isOver.wait()
    observation.cancel()
    return status
  }

  // MARK: Events

  private func note(_ event: PlaybackEvent) {
    switch event {
    case .itemsDidFail, .progress, .rateDidChange, .chapterDidChange: break
    default: if let line = failureLines.end() { report(line) }
    }
    switch event {
    case .currentItemDidChange(let item?): begin(item)
    // Skipped past the last item: failures of what was skipped may still be on their way.
    case .currentItemDidChange(nil): end(after: fadeOut)
    case .chapterDidChange(let new): beginChapter(new)
    case .itemsDidFail(let failures):
      failed += failures.itemCount
      let texts = failures.map { ErrorText.of($0) }
      for line in failureLines.add(texts, count: failures.itemCount) { report(line) }
    case .underrun: underruns += 1
    case .endOfQueue:
      // Nothing was heard, and nothing is wrong with any file.
      if played == 0, failed == 0, let complaint = start?.complaint { report(complaint) }
      end(after: nil)
    case .failed(let error):
      report("attacca: \(ErrorText.of(error))")
      end(after: nil, status: .refused)
    case .tagsDidChange(let item, let tags): if item == current { show(tags, of: item) }
    case .waitingEnded, .durationDidChange: break
    case .rateDidChange, .itemDidFinish, .outputDidChange, .progress, .outputVolumeDidChange: break
    case .mediaServicesWereLost, .mediaServicesWereReset, .routeDidChange, .deviceRefused,
      .pitchFollowsRate, .waitingBegan,
      .interruptionBegan, .interruptionEnded:
      if let text = OutputNotice.text(event) { report("attacca: " + text) }
    }
    // Until an item is current there is nothing to tell.
    if played > 0 { display?.update() }
  }

  private func begin(_ item: PlaylistItem) {
    (current, played) = (item, played + 1)
    let span = player.currentSpan
    // A short item may be over by now.
    show(span?.item == item ? span!.tags : Tags(), of: item)
  }

  private func show(_ tags: Tags, of item: PlaylistItem) {
    let name = item.bytePath.name.text
    let known = [tags.artist, tags.title].compactMap { $0 }
    title = (tags.title == nil ? name : known.joined(separator: " – ")).onOneLine
    (renderer as? PulseAudioRenderer)?.setMediaName(title)
    guard display == nil else { return }
    let file = tags.title == nil ? item.path.onOneLine : "\(title) (\(item.path.onOneLine))"
    let index = player.playlist.index(of: item.id) ?? 0
    TextOutput.standard.write("\(index + 1) of \(player.playlist.count): \(file)\n")
  }

  private func beginChapter(_ new: Chapter?) {
    chapter = (new?.title ?? "").onOneLine
    guard display == nil, !chapter.isEmpty else { return }
    TextOutput.standard.write("  \(chapter)\n")
  }

  private func report(_ text: String) {
    display?.clear()
    TextOutput.errors.write(text.onOneLine + "\n")
  }

  private var statusLine: StatusLine {
    let (time, duration) = (player.currentTime.seconds, player.duration?.seconds)
    let index = current.flatMap { player.playlist.index(of: $0.id) }
    return StatusLine(
      isPlaying: player.rate != 0, elapsed: Int(time),
      portion: duration.flatMap { $0 > 0 ? time / $0 : nil }, length: duration.map { Int($0) },
      loaded: (current?.source as? HTTPSource)?.loadedPortion,
      title: chapter.isEmpty ? title : "\(title): \(chapter)", number: (index ?? -1) + 1,
      count: player.playlist.count,
      volumePercent: volumePercent, speed: player.defaultRate, underruns: underruns,
      levels: levels?.levels(isPlaying: player.rate != 0))
  }

  // MARK: Keys

  private func takeKeys() {
    let terminal = KeyTerminal.standardInput
    guard terminal.exists else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    source.setEventHandler { [unowned self] in readKeys() }
    source.resume()
    keys = source
    if !terminal.enter() { leaveTerminal() }
  }

  /// Lets another process have the terminal, until it is ours again.
  private func leaveTerminal() {
    guard let keys, !isAway else { return }
    isAway = true
    // What is typed there is not for us, and would wake this process all the same.
    keys.suspend()
    lookForTerminal()
  }

  /// A shell that brings what runs in the background to the foreground sends no signal: so the terminal
  /// is asked twice a second who has it.
  private func lookForTerminal() {
    guard isAway else { return }
    if takesTerminalBack() {
      display?.update()
    } else {
      queue.asyncAfter(deadline: .now() + .milliseconds(500)) { [weak self] in
        self?.lookForTerminal()
      }
    }
  }

  /// Whether the terminal is ours, and keys come, where it was not before.
  private func takesTerminalBack() -> Bool {
    guard KeyTerminal.standardInput.enter() else { return false }
    isAway = false
    keys?.resume()
    return true
  }

  /// Whether the line disturbs no one, and the keys that it stands for come.
  private var mayDraw: Bool {
    KeyTerminal.standardInput.mayDraw && (!isAway || takesTerminalBack())
  }

  private func readKeys() {
    // In the background a read would stop the process.
    guard KeyTerminal.standardInput.isOurs else { return leaveTerminal() }
    guard let bytes = KeyTerminal.typedBytes() else {
      keys?.cancel()
      return
    }
    for byte in bytes {
      if let key = reader.read(byte) { press(key) }
    }
    if played > 0 { display?.updateAfterKey() }
  }

  private func press(_ key: Key) {
    let step = MediaTime(value: 10, timescale: 1)
    switch key {
    case .togglePause: if resuming?.togglePause() == nil { player.togglePlayPause() }
    case .next: player.next()
    case .previous: player.previous()
    case .nextChapter: player.nextChapter()
    case .previousChapter: player.previousChapter()
    case .back: player.seek(by: .zero - step)
    case .forward: player.seek(by: step)
    case .louder: changeVolume(by: 5)
    case .quieter: changeVolume(by: -5)
    case .faster: changeSpeed(to: (speed * 10).rounded(.down) / 10 + 0.1)
    case .slower: changeSpeed(to: (speed * 10).rounded(.up) / 10 - 0.1)
    case .naturalSpeed: changeSpeed(to: 1)
    case .turn: play(at: -player.defaultRate)
    case .help:
      display?.clear()
      TextOutput.standard.write(Key.overview)
    case .quit: end(after: fadeOut, status: .done)
    }
  }

  private func changeVolume(by percent: Int) {
    volumePercent = min(max(volumePercent + percent, 0), 100)
    // The cube, as the server's own volume: even steps for the ear.
    let part = Float(volumePercent) / 100
    renderer.volume = part * part * part
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
    signals.on(SIGINT, SIGTERM, SIGHUP) { [unowned self] in
      if hasSignalled { leaveAtOnce() }
      hasSignalled = true
      end(after: fadeOut, status: .signalled)
    }
    if display != nil {
      signals.on(SIGWINCH) { [unowned self] in display?.update() }
    }
    signals.on(SIGTSTP) { [unowned self] in suspend() }
    signals.on(SIGCONT) { [unowned self] in resume() }
    self.signals = signals
  }

  /// A second signal: the user does not want to wait, whatever it is that hangs.
  private func leaveAtOnce() -> Never {
    KeyTerminal.standardInput.leave()
    _exit(ExitStatus.signalled.rawValue)
  }

  private func suspend() {
    resumesOnContinue = player.rate != 0
    player.pause()
    queue.asyncAfter(deadline: .now() + fadeOut) { [self] in
      display?.clear()
      TextOutput.standard.flush(atMost: 1)
      KeyTerminal.standardInput.leave()
      kill(getpid(), SIGSTOP)
    }
  }

  private func resume() {
    if display != nil, !isAway, !KeyTerminal.standardInput.enter() { leaveTerminal() }
    if resumesOnContinue { player.play() }
    resumesOnContinue = false
    display?.clear()
    display?.update()
  }

  // MARK: The end

  /// Ends the session, `delay` after a fade if there is anything to fade.
  private func end(after delay: DispatchTimeInterval?, status: ExitStatus? = nil) {
    if let status, !isEnding || status == .signalled { self.status = status }
    let isDecided = status != nil || isEnding
    guard let delay else { return finish(isDecided: isDecided) }
    guard !isEnding else { return }
    isEnding = status != nil
    player.pause()
    queue.asyncAfter(deadline: .now() + delay) { [self] in finish(isDecided: isDecided) }
  }

  private func finish(isDecided: Bool) {
    guard signals != nil else { return }
    signals = nil
    if !isDecided { status = ExitStatus(played: played, failed: failed) }
    display?.clear()
    display = nil
    keys?.cancel()
    // A source that is released while it is suspended is a bug to the library.
    if isAway { keys?.resume() }
    isAway = false
    KeyTerminal.standardInput.leave()
    resuming?.close()
    player.stop()
    // All lines of a whole playing are worth waiting for; a user who quits is not kept.
    TextOutput.standard.flush(atMost: isDecided ? 1 : nil)
    TextOutput.errors.flush(atMost: isDecided ? 1 : nil)
    isOver.signal()
  }
}

extension String {
  /// Without line ends and other controls.
  fileprivate var onOneLine: String {
    String(withoutControls.map { $0.isNewline ? " " : $0 })
  }
}
