// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio
import Rendering
import SampleBuffers

// Where the stream is: asked of the server, with the lock held.
extension PulseAudioOutput {
  func expectSplice() {
    assertLocked()
    if state.isUncorked, asked.answers.isEmpty { asked.expect(ask(.clock)) }
  }

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    assertLocked()
    if let report = freshReport {
      asked.endExpectation()
      return answer(position(report))
    }
    if asked.add(answer) { askForAnswers() }
  }

  /// A report that is as good as another one would be: no block is due before a rewrite is there.
  private var freshReport: TimingReport? {
    guard asked.position == .expected, let report = rewriteMargin.newestReport, report.isPlaying,
      state.isUncorked, !isSuspended, hasDevice,
      HostTime.now() < report.hostTime + Self.freshness, soonest(report) == report.read
    else { return nil }
    return report
  }

  /// Asks on behalf of all who wait for an answer.
  func askForAnswers() {
    assertLocked()
    guard !asked.answers.isEmpty, hasDevice || state.phase == .absent else { return }
    guard let stream else {
      // Without a device everything takes place where the clock stands.
      let frame = heardFrame(atHostTime: HostTime.now())
      return answerAll(
        OutputPosition(soonest: frame, replaceable: frame, safe: frame))
    }
    // Refused where 16 questions are open: it is asked again when one of them is answered.
    asked.asked(stream.requestTiming(TimingQuestion.position.rawValue))
  }

  private func answerAll(_ position: OutputPosition) {
    for answer in asked.takeAnswers() { answer(position) }
  }

  func ask(_ question: TimingQuestion) -> Bool {
    assertLocked()
    return hasDevice && stream?.requestTiming(question.rawValue) == true
  }

  func askWhetherUnderrun() {
    assertLocked()
    guard !asked.pending.contains(.underrun) else { return }
    if ask(.underrun) { asked.pending.insert(.underrun) }
  }

  func estimatedRead() -> StreamFrame {
    assertLocked()
    guard hasDevice else { return heardFrame(atHostTime: HostTime.now()) }
    guard isRunning, let stream else { return progress.read }
    let now = HostTime.now()
    // The server has told that it had nothing, and not yet where it is: what is written now may be
    // behind it. 18,722 frames of a start on a busy machine were not heard.
    if asked.pending.contains(.underrun) { return max(progress.read, stream.nextWrite + 1) }
    guard clock.line.isRunning else {
      // No report has come since the start. The sink has read no more than has passed since, and a block.
      guard let uncorked = state.uncorked else { return progress.read }
      return progress.read + Int64(now - uncorked) * Int64(storedFormat.sampleRate) / 1_000_000_000
    }
    return max(progress.read, clock.line.heard(atHostTime: now) + progress.ahead)
  }

  func isInTime(_ frame: StreamFrame) -> Bool {
    assertLocked()
    // Two blocks are what the read index may be ahead of its estimate.
    guard isRunning, hasDevice,
      estimatedRead() + 2 * rewriteMargin.largestBlock + targetLength / 8 > frame
    else { return true }
    return !ask(.fill)
  }

  /// The first frame that a write now replaces if nothing delays it.
  private func soonest(_ report: TimingReport) -> StreamFrame {
    guard isRunning else { return startFrame(report) }
    return rewriteMargin.soonest(report, now: HostTime.now(), writeTime: rewrites.usualWriteTime)
  }

  /// First frame of what a stream that stands still plays next.
  ///
  /// A null sink that rewinds gives back the silence that it has taken, but its monitor, which alone is
  /// listened to, has that already: without silence in front the first 300 frames of a resume were not
  /// heard there. Where the sink has taken more than 20 ms, to be heard at once counts more.
  private func startFrame(_ report: TimingReport) -> StreamFrame {
    let taken = report.framesRenderedAhead(sampleRate: storedFormat.sampleRate)
    guard let stream, stream.isOnRewindingNullSink, taken <= storedFormat.sampleRate / 50 else {
      return report.read
    }
    // A block that is all but played is followed by the next one before the stream runs: one of 10 ms
    // beside a usual recorder.
    let delay = Int64(report.roundTrip) + rewrites.writeTime + 2_000_000
    let isDue = report.sinkLatency < delay
    let block = max(Int64(stream.blockLength), Int64(storedFormat.sampleRate / 100))
    return report.read + (isDue ? taken + block : taken)
  }

  /// The first frame that a write now is sure to replace.
  private func replaceable(_ report: TimingReport) -> StreamFrame {
    guard isRunning else { return startFrame(report) }
    return rewriteMargin.replaceable(report, now: HostTime.now(), writeTime: rewrites.writeTime)
  }

  var rewriteDistance: Int64 {
    assertLocked()
    guard isRunning, hasDevice, let report = rewriteMargin.newestReport else { return 0 }
    // Where reports tell no latency, as those of PipeWire's null sink, the clock may be a cycle ahead of them.
    return max(
      rewriteMargin.leastDistance(report, writeTime: rewrites.writeTime),
      replaceable(report) - heardFrame(atHostTime: HostTime.now()))
  }

  /// A report of the stream that is played on.
  func take(_ report: TimingReport?, for question: TimingQuestion?, on stream: PlaybackStream) {
    assertLocked()
    if question == .underrun { asked.pending.remove(.underrun) }
    if question == .handover { return handOver(report) }
    if question == .rewind { return rewind(report) }
    if question == .settled { stream.settlingAnswered(TimingQuestion.settled.rawValue) }
    guard let report else {
      if question == .position { asked.refused() }
      return
    }
    if asked.position == .refused { askForAnswers() }
    if isRunning, quirks.tellsUnderruns {
      if hasBroken(report, stream) { return }
      if stoodStill(stream) {
        return rewind(
          to: stream.nextWrite, outcome: .tellsMissed(from: stream.nextWrite))
      }
    }
    learn(report)
    // Behind what was written there may be old silence, of which the server does not say that it is
    // an underrun. And what would come too late to be heard in full is not to be written.
    if isRunning, !state.isWithheld, hasDevice, !progress.reading.isInDoubt {
      let first = rewriteMargin.reachable(report, now: HostTime.now(), writeTime: rewrites.writeTime)
      switch progress.lateWrite.judge(
        report, first: first, next: stream.nextWrite, arrived: HostTime.now())
      {
      case .inTime: break
      case .late: underran(read: first, by: report)
      case .inDoubt:
        askWhetherUnderrun()
        // Nothing is written or placed before it is known where media time holds.
        if question == .position { return asked.refused() }
        if question == .fill || question == .underrun { return }
      }
    }
    switch question {
    // A stream that is corked to go back or for another one is asked again behind that: a pause that took place
    // by this answer lay two blocks behind what was played, 970 frames, which nobody heard.
    case .position where !hasDevice: break
    case .position:
      asked.asksAgain = report.roundTrip > Self.slowAnswer && !asked.asksAgain
      if asked.asksAgain { askForAnswers() } else { answerAll(position(report)) }
    case .before: rewrites.began(at: report.read)
    case .splice: checkSplice(report)
    case .underrun:
      // What goes on behind a gap that is not told yet would take its place.
      if !progress.reading.isInDoubt || report.read <= stream.nextWrite {
        underran(read: report.read, by: report)
      }
    case .fill: events?.outputNeedsFrames()
    case .clock, .handover, .rewind, .settled, nil: break
    }
  }

  /// All before `frame` has been read, or is not to be any more.
  func beginReading(at frame: StreamFrame) {
    assertLocked()
    progress.reading.begin(at: frame, underWay: stream?.unansweredTimingRequests ?? 0)
  }

  private func underran(read: StreamFrame, by report: TimingReport) {
    // Where the server only comes too far before it can be given more it has still to read what it has.
    if let stream, report.read > stream.nextWrite { beginReading(at: report.read) }
    events?.outputUnderran(read: read)
  }

  /// Whether the server has done without frames that have been written since, by a report: from there on
  /// they are written again.
  private func hasBroken(_ report: TimingReport, _ stream: PlaybackStream) -> Bool {
    // What a sink takes before it settles it gives back.
    guard hasDevice, state.isUncorked, !isSuspended, !stream.isSettling,
      !report.isReadIndexCorrupt
    else { return false }
    if let missing = answered(report), missed(from: missing, stream) { return true }
    askWhileInDoubt()
    return false
  }

  private func answered(_ report: TimingReport) -> StreamFrame? {
    let now = HostTime.now()
    return progress.reading.answered(
      read: report.read, written: StreamFrame(report.writeFrame),
      sent: now - min(now, report.roundTrip),
      arrived: now)
  }

  /// Asks once more, not at once: then what is in doubt is soon certain.
  private func askWhileInDoubt() {
    guard progress.reading.isInDoubt, !asked.pending.contains(.doubt) else { return }
    asked.pending.insert(.doubt)
    afterPause { [weak self] in
      guard let self else { return }
      asked.pending.remove(.doubt)
      if progress.reading.isInDoubt, hasDevice, !ask(.clock) { askWhileInDoubt() }
    }
  }

  /// Does `body`, lock held, when the server will have waited for something to do.
  func afterPause(_ body: @escaping @Sendable () -> Void) {
    let pause = Int(UnbrokenReading.pause) + 200_000
    timers.queue.asyncAfter(deadline: .now() + .nanoseconds(pause)) { [weak self] in
      self?.withLock(body)
    }
  }

  /// The frame up to which the corked stream has read all for certain.
  func certainRead(_ report: TimingReport) -> StreamFrame {
    assertLocked()
    guard state.isUncorked, quirks.tellsUnderruns, stream?.isSettling == false else {
      return report.read
    }
    let missing = answered(report)
    return progress.reading.isInDoubt ? progress.reading.end : missing ?? report.read
  }

  /// Has written again what was written since the server had nothing, from `frame` on.
  ///
  /// False where nothing was. All of it came too late, or its beginning.
  ///
  /// A server that was stopped answers before it makes up for the time, and then goes past what the
  /// answer made us write: 74,358 and 93,054 frames were not heard, in two of eight stops.
  func missed(from frame: StreamFrame, _ stream: PlaybackStream) -> Bool {
    assertLocked()
    // Behind the end there is silence: a machine too busy to cork the stream in time has lost nothing.
    guard hasDevice, state.isUncorked, !isSuspended,
      frame < min(stream.nextWrite, state.lastFrame ?? .max),
      progress.reading.isMissing(from: frame)
    else { return false }
    guard progress.missed(frame, sampleRate: storedFormat.sampleRate) else { return false }
    events?.outputMissed(from: frame)
    rewind(to: frame)
    return true
  }

  /// Whether the server has not been heard of for longer than what it holds lasts.
  ///
  /// It may be making up for that, block by block between its answers, so that any place that it tells
  /// is too early: 15,360 frames of a write were skipped, and the 4,368 behind them heard; 16,150 of one
  /// 0.2 s beyond the answer. So it is corked before it is given more.
  private func stoodStill(_ stream: PlaybackStream) -> Bool {
    hasDevice && state.isUncorked && !isSuspended && state.lastFrame == nil && clock.line.isRunning
      && clock.isHeld && estimatedRead() >= stream.nextWrite
  }

  /// Frames that a device may have said wrongly to have played.
  var doubtfulFrames: Int64 {
    quirks.doubtfulFrames(sampleRate: storedFormat.sampleRate, largestBlock: rewriteMargin.largestBlock)
  }

  private func learn(_ report: TimingReport) {
    let isUnbroken = isRunning && quirks.tellsUnderruns
    let isHeldBack = progress.note(
      report, sampleRate: storedFormat.sampleRate, doubtfulFrames: doubtfulFrames,
      most: mostHeardSinceMove, isUnbroken: isUnbroken)
    if !isUnbroken { beginReading(at: max(progress.reading.end, knownHeard)) }
    guard isRunning else { return }
    rewriteMargin.note(report, drift: clock.estimatedDrift)
    let now = HostTime.now()
    let shown = clock.reading
    let wasStopped = !shown.line.isRunning || now >= shown.trustedUntil
    // What the line says behind its limit nobody has been shown.
    if now >= shown.trustedUntil { clock.freeze() }
    guard !isHeldBack, clock.update(report, now: now) else { return }
    publishClock()
    if wasStopped { events?.outputClockChanged() }
  }

  private func position(_ report: TimingReport) -> OutputPosition {
    OutputPosition(
      soonest: soonest(report), replaceable: replaceable(report),
      safe: isRunning
        ? rewriteMargin.safe(report, now: HostTime.now(), writeTime: rewrites.writeTime)
        : startFrame(report))
  }

  private func checkSplice(_ report: TimingReport) {
    let soonest = soonest(report)
    switch rewrites.judge(read: report.read, isRunning: isRunning, soonest: soonest) {
    case .none: break
    case .inTime:
      events?.outputSpliceWasInTime()
      rewriteMargin.wasInTime()
    case .overtaken(let frames, let first):
      _ = events?.outputSpliceWasLate(by: frames, read: first, isDelayable: false)
      rewriteMargin.wasDelayed()
    case .late(let frames, let isDelayable):
      let isHidden = events?.outputSpliceWasLate(
        by: frames, read: report.read, isDelayable: isDelayable)
      if isHidden == true {
        rewriteMargin.wasDelayed()
      } else {
        rewriteMargin.wasLate(by: frames)
      }
    }
  }
}
