// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio

// Where the stream is: asked of the server, with the lock held.
extension PulseAudioOutput {
  func expectSplice() {
    if isRunning, !isUncorkDue, answers.isEmpty { isSpliceExpected = ask(.clock) }
  }

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    if let report = freshReport {
      isSpliceExpected = false
      return answer(position(report))
    }
    isSpliceExpected = false
    answers.append(answer)
    if answers.count == 1 { askForAnswers() }
  }

  /// A report that is as good as another one would be: no block is due before a rewrite is there.
  private var freshReport: TimingReport? {
    guard isSpliceExpected, answers.isEmpty, let report = reach.newestReport, report.isPlaying,
      isRunning, !isUncorkDue, !isSuspended, hasDevice,
      HostTime.now() < report.hostTime + Self.freshness, soonest(report) == report.read
    else { return nil }
    return report
  }

  /// Asks on behalf of all who wait for an answer.
  func askForAnswers() {
    guard !answers.isEmpty, successor == nil, rewinding == nil else { return }
    guard let stream else {
      // Without a device everything takes place where the clock stands.
      let frame = heardFrame(atHostTime: HostTime.now())
      return answerAll(
        OutputPosition(soonest: frame, replaceable: frame, safe: frame))
    }
    // Refused where 16 questions are open: it is asked again when one of them is answered.
    isPositionRefused = !stream.requestTiming(Question.position.rawValue)
  }

  private func answerAll(_ position: OutputPosition) {
    let due = answers
    answers.removeAll(keepingCapacity: true)
    for answer in due { answer(position) }
  }

  func ask(_ question: Question) -> Bool {
    hasDevice && stream?.requestTiming(question.rawValue) == true
  }

  func askWhetherUnderrun() {
    guard !isAskingUnderrun else { return }
    isAskingUnderrun = ask(.underrun)
  }

  func estimatedRead() -> StreamFrame {
    guard hasDevice else { return heardFrame(atHostTime: HostTime.now()) }
    guard isRunning, let stream else { return lastRead }
    let now = HostTime.now()
    // The server has told that it had nothing, and not yet where it is: what is written now may be
    // behind it. 18,722 frames of a start on a busy machine were not heard.
    if isAskingUnderrun { return max(lastRead, stream.nextWrite + 1) }
    guard clock.line.isRunning else {
      // No report has come since the start. The sink has read no more than has passed since, and a block.
      guard !isUncorkDue, let uncorked else { return lastRead }
      return lastRead + Int64(now - uncorked) * Int64(storedFormat.sampleRate) / 1_000_000_000
    }
    return max(lastRead, clock.line.heard(atHostTime: now) + ahead)
  }

  func isInTime(_ frame: StreamFrame) -> Bool {
    // Two blocks are what the read index may be ahead of its estimate.
    guard isRunning, hasDevice,
      estimatedRead() + 2 * reach.largestBlock + targetLength / 8 > frame
    else { return true }
    return !ask(.fill)
  }

  /// The first frame that a write now replaces if nothing delays it.
  private func soonest(_ report: TimingReport) -> StreamFrame {
    guard isRunning else { return startFrame(report) }
    return reach.soonest(report, now: HostTime.now(), writeTime: usualWriteTime)
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
    let delay = Int64(report.roundTrip) + writeTime + 2_000_000
    let isDue = report.sinkLatency < delay
    let block = max(Int64(stream.blockLength), Int64(storedFormat.sampleRate / 100))
    return report.read + (isDue ? taken + block : taken)
  }

  /// The first frame that a write now is sure to replace.
  private func replaceable(_ report: TimingReport) -> StreamFrame {
    guard isRunning else { return startFrame(report) }
    return reach.replaceable(report, now: HostTime.now(), writeTime: writeTime)
  }

  var rewriteDistance: Int64 {
    guard isRunning, hasDevice, let report = reach.newestReport else { return 0 }
    return max(0, replaceable(report) - heardFrame(atHostTime: HostTime.now()))
  }

  /// A report of the stream that is played on.
  func take(_ report: TimingReport?, for question: Question?, on stream: PlaybackStream) {
    if question == .underrun { isAskingUnderrun = false }
    if question == .handover { return handOver(report) }
    if question == .rewind { return rewind(report) }
    if question == .settled { stream.settlingAnswered(Question.settled.rawValue) }
    guard let report else {
      if question == .position { isPositionRefused = true }
      return
    }
    if isPositionRefused { askForAnswers() }
    if isRunning, quirks.tellsUnderruns {
      if hasBroken(report, stream) { return }
      if stoodStill(stream) {
        let end = stream.nextWrite
        return rewind(to: end) { [weak self] in
          // It went past all that it held before it was corked.
          if let self, lastRead == end { events?.outputMissed(from: end) }
        }
      }
    }
    learn(report)
    // Behind what was written there may be old silence, of which the server does not say that it is
    // an underrun. And what would come too late to be heard in full is not to be written.
    if isRunning, hasDevice, !reading.isInDoubt {
      let first = reach.reachable(report, now: HostTime.now(), writeTime: writeTime)
      if first > stream.nextWrite { underran(read: first, by: report) }
    }
    switch question {
    case .position:
      isAskingAgain = report.roundTrip > Self.slowAnswer && !isAskingAgain
      if isAskingAgain { askForAnswers() } else { answerAll(position(report)) }
    case .before: rewrite?.readBefore = report.read
    case .splice: checkSplice(report)
    case .underrun:
      // What goes on behind a gap that is not told yet would take its place.
      if !reading.isInDoubt || report.read <= stream.nextWrite {
        underran(read: report.read, by: report)
      }
    case .fill: events?.outputNeedsFrames()
    case .clock, .handover, .rewind, .settled, nil: break
    }
  }

  /// All before `frame` has been read, or is not to be any more.
  func beginReading(at frame: StreamFrame) {
    reading.begin(at: frame, underWay: stream?.unansweredTimingRequests ?? 0)
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
    guard hasDevice, !isUncorkDue, !isSuspended, !stream.isSettling, !report.isReadIndexCorrupt
    else { return false }
    if let missing = answered(report), missed(from: missing, stream) { return true }
    askWhileInDoubt()
    return false
  }

  private func answered(_ report: TimingReport) -> StreamFrame? {
    let now = HostTime.now()
    return reading.answered(
      read: report.read, written: StreamFrame(report.writeFrame),
      sent: now - min(now, report.roundTrip),
      arrived: now)
  }

  /// Asks once more, not at once: then what is in doubt is soon certain.
  private func askWhileInDoubt() {
    guard reading.isInDoubt, !isAskingInDoubt else { return }
    isAskingInDoubt = true
    afterPause { [weak self] in
      guard let self else { return }
      isAskingInDoubt = false
      if reading.isInDoubt, hasDevice, !ask(.clock) { askWhileInDoubt() }
    }
  }

  /// Does `body`, lock held, when the server will have waited for something to do.
  func afterPause(_ body: @escaping @Sendable () -> Void) {
    let pause = Int(UnbrokenReading.pause) + 200_000
    queue.asyncAfter(deadline: .now() + .nanoseconds(pause)) { [weak self] in
      self?.withLock(body)
    }
  }

  /// The frame up to which the corked stream has read all for certain.
  func certainRead(_ report: TimingReport) -> StreamFrame {
    guard isRunning, quirks.tellsUnderruns, !isUncorkDue, stream?.isSettling == false else {
      return report.read
    }
    let missing = answered(report)
    return reading.isInDoubt ? reading.end : missing ?? report.read
  }

  /// Has written again what was written since the server had nothing, from `frame` on.
  ///
  /// False where nothing was. All of it came too late, or its beginning.
  ///
  /// A server that was stopped answers before it makes up for the time, and then goes past what the
  /// answer made us write: 74,358 and 93,054 frames were not heard, in two of eight stops.
  func missed(from frame: StreamFrame, _ stream: PlaybackStream) -> Bool {
    // Behind the end there is silence: a machine too busy to cork the stream in time has lost nothing.
    guard hasDevice, !isUncorkDue, !isSuspended, frame < min(stream.nextWrite, stopAfter ?? .max),
      reading.isMissing(from: frame)
    else { return false }
    // Where it comes no further, as on a machine that is too busy, a gap is all that can be had.
    let isStuck = frame - missedFrame < Int64(storedFormat.sampleRate / 10)
    missesInPlace = isStuck ? missesInPlace + 1 : 0
    if !isStuck { missedFrame = frame }
    guard missesInPlace < 8 else { return false }
    events?.outputMissed(from: frame)
    rewind(to: frame) {}
    return true
  }

  /// Whether the server has not been heard of for longer than what it holds lasts.
  ///
  /// It may be making up for that, block by block between its answers, so that any place that it tells
  /// is too early: 15,360 frames of a write were skipped, and the 4,368 behind them heard; 16,150 of one
  /// 0.2 s beyond the answer. So it is corked before it is given more.
  private func stoodStill(_ stream: PlaybackStream) -> Bool {
    hasDevice && !isUncorkDue && !isSuspended && stopAfter == nil && clock.line.isRunning
      && HostTime.now() >= publishedClock.read().limit && estimatedRead() >= stream.nextWrite
  }

  /// Frames that a device may have said wrongly to have played.
  var doubtfulFrames: Int64 {
    quirks.doubtfulFrames(sampleRate: storedFormat.sampleRate, largestBlock: reach.largestBlock)
  }

  private func learn(_ report: TimingReport) {
    lastRead = max(lastRead, report.read)
    lastReport = report.hostTime
    ahead = report.framesRenderedAhead(sampleRate: storedFormat.sampleRate)
    let read = report.read - ahead
    // What a server holds back of a stream that it has linked anew is not heard yet.
    let most = mostHeardSinceMove
    let isHeldBack = read > most && read - most > Int64(storedFormat.sampleRate) / 3
    let heard = min(read - doubtfulFrames, most)
    if isRunning, quirks.tellsUnderruns {
      knownHeard = max(knownHeard, min(heard, reading.end))
    } else {
      knownHeard = max(knownHeard, heard)
      beginReading(at: max(reading.end, knownHeard))
    }
    guard isRunning else { return }
    reach.note(report, drift: clock.isDriftKnown ? clock.partsPerMillion : nil)
    let now = HostTime.now()
    let shown = publishedClock.read()
    let wasStopped = !shown.line.isRunning || now >= shown.limit
    // What the line says behind its limit nobody has been shown.
    if now >= shown.limit { freezeClock() }
    guard !isHeldBack, clock.update(report, now: now) else { return }
    publishClock()
    if wasStopped { events?.outputClockChanged() }
  }

  private func position(_ report: TimingReport) -> OutputPosition {
    OutputPosition(
      soonest: soonest(report), replaceable: replaceable(report),
      safe: isRunning
        ? reach.safe(report, now: HostTime.now(), writeTime: writeTime) : startFrame(report))
  }

  private func checkSplice(_ report: TimingReport) {
    guard let (frame, before) = rewrite else { return }
    rewrite = nil
    guard report.read > frame, isRunning else {
      events?.outputSpliceWasInTime()
      return reach.wasInTime()
    }
    let late = report.read - frame
    // Taken after the question before the rewrite, and before the one behind it: in 24 of 25 the
    // rewrite was there first while 0.25 ms lay between them (recorded at a sink with blocks of 2 ms). It
    // is told as late all the same.
    if let before, before <= frame {
      _ = events?.outputSpliceWasLate(by: late, read: frame, isDelayable: false)
      return reach.wasDelayed()
    }
    let isDelayable = before == report.read && soonest(report) == report.read
    let isHidden = events?.outputSpliceWasLate(
      by: late, read: report.read, isDelayable: isDelayable)
    if isHidden == true {
      reach.wasDelayed()
    } else {
      reach.wasLate(by: late)
    }
  }
}
