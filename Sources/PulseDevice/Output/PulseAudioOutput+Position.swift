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
      let frame = heardFrame
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
    guard hasDevice else { return heardFrame }
    guard let stream else { return progress.read }
    let now = HostTime.now()
    let until = quirks.holdsWhileStopped ? min(now, streamClock.reading.trustedUntil) : now
    return progress.estimatedRead(
      at: now, state, facts(of: stream), isDry: asked.pending.contains(.underrun),
      heard: streamClock.estimatedHeard(atHostTime: until))
  }

  private func facts(of stream: PlaybackStream) -> StreamFacts {
    StreamFacts(
      next: stream.nextWrite, sampleRate: storedFormat.sampleRate, isSettling: stream.isSettling,
      tellsUnderruns: quirks.tellsUnderruns)
  }

  func isInTime(_ frame: StreamFrame) -> Bool {
    assertLocked()
    // Two blocks are what the read index may be ahead of its estimate.
    guard isRunning, hasDevice,
      estimatedRead() + 2 * rewriteMargin.largestBlock + targetLength / 8 > frame
    else { return true }
    return !ask(.fill)
  }

  /// True where the server may read on while a write is under way: not while the sink is suspended.
  ///
  /// A pause that was placed behind what a server 0.18 s away would have read by then lay 567 ms further; the stream was
  /// lost before that was heard, and it was passed over.
  private var mayRead: Bool { isRunning && !isSuspended }

  /// The first frame that a write now replaces if nothing delays it.
  private func soonest(_ report: TimingReport) -> StreamFrame {
    guard mayRead else { return startFrame(report) }
    return rewriteMargin.soonest(report, now: HostTime.now(), writeTime: rewrites.usualWriteTime)
  }

  /// First frame of what a stream that stands still plays next.
  private func startFrame(_ report: TimingReport) -> StreamFrame {
    guard let stream, stream.isOnRewindingNullSink else { return report.read }
    // A stream that has asked for long blocks has those of the next client: of 10 ms beside a usual recorder.
    let block = max(stream.blockLength, stream.isDeep ? storedFormat.sampleRate / 100 : 0)
    return rewriteMargin.startFrame(report, blockLength: Int64(block))
  }

  /// The first frame that a write now is sure to replace.
  private func replaceable(_ report: TimingReport) -> StreamFrame {
    guard mayRead else { return startFrame(report) }
    return rewriteMargin.replaceable(report, now: HostTime.now(), writeTime: rewrites.writeTime)
  }

  var rewriteDistance: Int64 {
    assertLocked()
    guard isRunning, hasDevice, let report = rewriteMargin.newestReport else { return 0 }
    // Where reports tell no latency, as those of PipeWire's null sink, the clock may be a cycle ahead of them.
    return max(
      rewriteMargin.leastDistance(report, writeTime: rewrites.writeTime),
      replaceable(report) - heardFrame)
  }

  /// A report of the stream that is played on.
  func take(_ report: TimingReport?, for question: TimingQuestion?, on stream: PlaybackStream) {
    assertLocked()
    let now = HostTime.now()
    let isSlow = report.map { answerTimes.answered(in: $0.roundTrip, at: now) } ?? false
    if let report, let missing = progress.missedBefore(report, at: now, state, facts(of: stream)) {
      state.rewinds(from: missing, answers: answersToGoBack)
    }
    if let question = asked.owed { askWhereItStands(question) }
    switch asked.arrived(question, hasReport: report != nil) {
    case .handover: return handOver(report)
    case .rewind: return rewind(report)
    case .nothing:
      settle(stream, question)
      return passSplice(question)
    case .report(let asksPosition):
      settle(stream, question)
      if asksPosition { askForAnswers() }
    }
    guard let report else { return }
    let silent = streamClock.line.isRunning && streamClock.isHeld ? estimatedRead() : nil
    let gap = progress.takeAnswer(
      report, at: HostTime.now(), state, facts(of: stream), readInSilence: silent)
    switch gap {
    case .missed(let frame):
      passSplice(question)
      return goBack(toMissed: frame)
    case .none(let inDoubt): if inDoubt { askWhileInDoubt() }
    case .stoodStill(let inDoubt):
      if inDoubt { askWhileInDoubt() }
      passSplice(question)
      return rewind(to: stream.nextWrite, outcome: .tellsMissed(from: stream.nextWrite))
    }
    learn(report)
    // An end that has come by the clock is told by the answer that has read so far.
    if let end = state.lastFrame, streamClock.line.isRunning, heardFrame >= end {
      let unheard = min(progress.unheard(before: end), Int64(storedFormat.sampleRate))
      timers.setWake(within: Int(unheard) * 1_000_000_000 / storedFormat.sampleRate)
    }
    // Reports that nobody asks for would keep the server's messages from lying unread.
    if isRunning, let wait = reports.answered(in: report.roundTrip) {
      timers.setWake(within: wait)
    }
    let first = rewriteMargin.reachable(
      report, now: HostTime.now(), writeTime: rewrites.writeTime)
    let verdict = progress.judgeWrite(
      report, first: first, at: HostTime.now(), state, facts(of: stream))
    switch verdict {
    case .inTime: break
    case .late: underran(read: first, by: report)
    case .inDoubt: askWhetherUnderrun()
    }
    reply(
      to: question, by: report, on: stream, isWriteInDoubt: verdict == .inDoubt, isSlow: isSlow)
  }

  private func settle(_ stream: PlaybackStream, _ question: TimingQuestion?) {
    if question == .settled { stream.settlingAnswered(TimingQuestion.settled.rawValue) }
  }

  private func reply(
    to question: TimingQuestion?, by report: TimingReport, on stream: PlaybackStream,
    isWriteInDoubt: Bool, isSlow: Bool
  ) {
    let reply = asked.reply(
      to: question, isWriteInDoubt: isWriteInDoubt, isSlow: isSlow, hasDevice: hasDevice,
      isGapInDoubt: progress.reading.isInDoubt && report.read > stream.nextWrite)
    switch reply {
    case .none: break
    case .position: answerAll(position(report))
    case .askAgain: askForAnswers()
    case .rewriteBegins: rewrites.began(at: report.read)
    case .rewriteEnds: checkSplice(report, on: stream)
    case .underrun: underran(read: report.read, by: report)
    case .fill: events?.outputNeedsFrames()
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

  /// Asks once more, not at once: then what is in doubt is soon certain.
  private func askWhileInDoubt() {
    guard progress.reading.isInDoubt, asked.doubts() else { return }
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

  /// Asks the corked stream where it stands, to go back or for another one.
  ///
  /// One that was played on at once, as 16 questions were open, took their answers for those of its new frames: 12,000 of
  /// those were heard by nobody.
  func askWhereItStands(_ question: TimingQuestion) {
    assertLocked()
    let isAsked = stream?.requestTiming(question.rawValue) == true
    // Each of those that are open is answered, or the stream fails.
    let isOwed = !isAsked && (stream?.unansweredTimingRequests ?? 0) > 0
    asked.owed = isOwed ? question : nil
    guard !isAsked, !isOwed else { return }
    if question == .handover { handOver(nil) } else { rewind(nil) }
  }

  /// The frame up to which the corked stream has read all for certain, and whether another answer may tell of more.
  func certainRead(_ report: TimingReport) -> (frame: StreamFrame, isInDoubt: Bool) {
    assertLocked()
    guard let stream else { return (report.read, false) }
    return progress.certainRead(report, state, facts(of: stream))
  }

  /// Has the server written again what was written since it had nothing, from `frame` on; false where nothing was.
  func missed(from frame: StreamFrame, _ stream: PlaybackStream) -> Bool {
    assertLocked()
    guard progress.misses(frame, state, facts(of: stream)) else { return false }
    goBack(toMissed: frame)
    return true
  }

  private func goBack(toMissed frame: StreamFrame) {
    events?.outputMissed(from: frame)
    rewind(to: frame)
  }

  /// Frames that a device may have said wrongly to have played.
  var doubtfulFrames: Int64 {
    quirks.doubtfulFrames(
      sampleRate: storedFormat.sampleRate, largestBlock: rewriteMargin.largestBlock)
  }

  private func learn(_ report: TimingReport) {
    let isUnbroken = isRunning && quirks.tellsUnderruns
    progress.note(
      report, sampleRate: storedFormat.sampleRate, doubtfulFrames: doubtfulFrames,
      isUnbroken: isUnbroken, again: state.rewind?.frame)
    if !isUnbroken { beginReading(at: max(progress.reading.end, knownHeard)) }
    guard isRunning else { return }
    rewriteMargin.note(report, drift: streamClock.estimatedDrift)
    let now = HostTime.now()
    let shown = streamClock.reading
    let wasStopped = !shown.line.isRunning || now >= shown.trustedUntil
    // What the line says behind its limit nobody has been shown.
    let isHeld = now >= shown.trustedUntil
    if isHeld { streamClock.hold() }
    let isUsed = streamClock.update(report, now: now)
    // A server that answers is not stopped, though a seek may have overtaken its answer.
    if isUsed || !isHeld && report.isPlaying { publishClock() }
    guard isUsed else { return }
    if wasStopped { events?.outputClockChanged() }
  }

  private func position(_ report: TimingReport) -> OutputPosition {
    OutputPosition(
      soonest: soonest(report), replaceable: replaceable(report),
      safe: mayRead
        ? rewriteMargin.safe(report, now: HostTime.now(), writeTime: rewrites.writeTime)
        : startFrame(report))
  }

  /// Takes note of an answer for a rewrite that says nothing of it.
  private func passSplice(_ question: TimingQuestion?) {
    guard question == .splice else { return }
    tellSplice(rewrites.judge(read: nil, isRunning: isRunning, soonest: 0))
  }

  /// Tells whether the rewrites were in time, once the server has answered for the last one.
  private func checkSplice(_ report: TimingReport, on stream: PlaybackStream) {
    let soonest = soonest(report)
    let verdict = rewrites.judge(
      read: report.read, mayHaveRead: quirks.tellsReadIndexLate ? rewriteMargin.mayHaveRead : nil,
      isRunning: isRunning, soonest: soonest)
    if rewrites.lacksQuestion, stream.requestTiming(TimingQuestion.splice.rawValue) {
      rewrites.asked()
    }
    tellSplice(verdict)
  }

  private func tellSplice(_ verdict: RewriteCheck.Verdict) {
    switch verdict {
    case .none: break
    case .inTime:
      events?.outputSpliceWasInTime()
      rewriteMargin.wasInTime()
    case .overtaken(let frames, let first):
      _ = events?.outputSpliceWasLate(
        for: first..<first + frames, read: first, isDelayable: false)
      rewriteMargin.wasDelayed()
    case .late(let frames, let read, let isDelayable):
      let isHidden = events?.outputSpliceWasLate(
        for: read - frames..<read, read: read, isDelayable: isDelayable)
      if isHidden == true {
        rewriteMargin.wasDelayed()
      } else {
        rewriteMargin.wasLate(by: frames)
      }
    }
  }
}
