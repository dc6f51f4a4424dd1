// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio
import Rendering
import SampleBuffers

// From one stream to the next. Streams are opened on a thread that may wait, for 30 s where a server
// takes the connection and does not answer; all else is done with the lock held.
extension PulseAudioOutput {
  /// Opens a stream; blocks until it is there.
  ///
  /// Not with the lock held. `connection` is the one to open it on, if there is one. `fallsBack` says
  /// that the default device will do where the wished one is not there, or refuses.
  func open(
    _ request: StreamRequest, on connection: PulseConnection?, fallsBack: Bool
  ) throws(PulseError) -> (connection: PulseConnection, stream: PlaybackStream) {
    let (volume, isMuted) = withLock {
      (self.request.volume, self.request.isMuted && !state.interruptions.contains(.policy))
    }
    let connection =
      if let connection {
        connection
      } else {
        try PulseConnection(
          mainloop: mainloop, server: request.server, applicationName: request.applicationName)
      }
    func open(on device: String?) throws(PulseError) -> PlaybackStream {
      try PlaybackStream(
        connection: connection, sink: device, latency: request.latency, startsDeep: true,
        mediaName: request.mediaName, volume: volume, isMuted: isMuted, events: self)
    }
    do throws(PulseError) {
      return (connection, try open(on: request.device))
    } catch {
      guard fallsBack, request.device != nil, !error.isServerMissing else { throw error }
      return (connection, try open(on: nil))
    }
  }

  /// The first stream.
  func begin(with stream: PlaybackStream) {
    assertLocked()
    storedFormat = stream.format
    streamClock.begin(sampleRate: storedFormat.sampleRate, at: 0)
    rewriteMargin = RewriteMargin(sampleRate: storedFormat.sampleRate)
    self.stream = stream
    _ = state.adopted(isSameFormat: true, isCorkRequested: false)
    devices.inUse = stream.sinkName
    publishClock()
    if devices.inUse == nil { lose(stream.goneError, stream) } else { lookIfMoved(stream) }
  }

  /// Looks at where a stream is that was not played on before.
  ///
  /// A move of one is not told: it may be in another sink's format, also where that sink has the name of the
  /// one that it was opened on, which went and came back.
  private func lookIfMoved(_ stream: PlaybackStream) {
    guard stream.deviceIndex != stream.firstDeviceIndex else { return }
    look(through: stream.connection, afterMove: true)
  }

  /// Plays on `device` from now on, on the user's default for nil.
  func switchDevice(to device: String?) {
    withLock {
      request.device = device
      devices.wasChosen()
      // Where it plays there already, nothing is to be done, unless a stream on another one is being opened.
      let isLeaving = next != nil || state.link.isSwitching
      if stream != nil, device == nil || device != devices.inUse || isLeaving {
        carryOut(state.link.wanted(), reason: .override)
      } else if stream == nil {
        carryOut(state.link.wanted(), reason: nil)
      }
    }
  }

  func carryOut(_ action: Reconnection.Action, reason: RouteChange.Reason?) {
    assertLocked()
    switch action {
    case .none, .use, .discard, .stay, .fail: break
    case .wait(let nanoseconds, let generation):
      timers.setAttempt(in: Int(nanoseconds)) { [weak self] in
        guard let self else { return }
        withLock { self.carryOut(self.state.link.elapsed(generation), reason: nil) }
      }
    case .open(let generation): attempt(generation, on: request.device, reason: reason)
    }
  }

  /// Opens a stream for `generation`.
  func attempt(_ generation: Int, on device: String?, reason: RouteChange.Reason?) {
    assertLocked()
    var request = request
    request.device = device
    let connection = stream?.connection
    // A queue of its own each time: no thread may wait for another that waits.
    DispatchQueue(label: "attacca.open").async { [weak self, request] in
      guard let self else { return }
      do throws(PulseError) {
        let opened = try open(request, on: connection, fallsBack: connection == nil)
        withLock { self.opened(opened.stream, generation, reason: reason) }
        if connection == nil { look(through: opened.connection) }
      } catch {
        withLock { self.refused(error, generation, device: request.device) }
      }
    }
  }

  /// An attempt brought `new`, lock held.
  func opened(_ new: PlaybackStream, _ generation: Int, reason: RouteChange.Reason?) {
    assertLocked()
    guard state.link.opened(generation) == .use else { return new.close() }
    if stream != nil {
      handOver(to: new, reason: reason)
    } else {
      adopt(new, heard: min(knownHeard, streamClock.shownUpTo), reason: reason)
      events?.outputTells(.outputReturned)
    }
    // It may be gone by now, which it told when it was neither played on nor to take over: the one that is played on
    // stopped for it, for good.
    if new.sinkName == nil { lose(new.goneError, new) }
  }

  /// The present stream goes on: what its last move asked for may have been overtaken by what came to nothing.
  ///
  /// In another format than its sink's it would be converted for good.
  private func lookWhereItStays() {
    if let stream { look(through: stream.connection, afterMove: true) }
  }

  private func refused(_ error: PulseError, _ generation: Int, device: String?) {
    let action = state.link.refused(generation, .init(error.reason))
    switch action {
    case .stay:
      let present = devices.inUse
      request.device = present
      events?.outputTells(.deviceRefused(device ?? "the default device", error))
      lookWhereItStays()
    case .wait where error.isNotThere: route(to: nil, reason: nil)
    case .fail:
      state.stopNow()
      events?.outputFailed(error)
    case .none, .wait, .open, .use, .discard: break
    }
    carryOut(action, reason: nil)
  }

  // MARK: A stream that goes back

  /// Has what lies behind frame `frame` heard again on the stream that there is, which is corked, and
  /// tells `outcome`, lock held.
  func rewind(to frame: StreamFrame, outcome: StreamRewind.Outcome = .none) {
    assertLocked()
    let due = StreamRewind(frame: frame, answers: answersToGoBack, outcome: outcome)
    guard let stream, case .begin(let deepens) = state.rewind(due) else { return tell(outcome) }
    timers.cancelWake()
    stream.cork(true)
    if deepens { stream.deepen() }
    askWhereItStands(.rewind)
  }

  /// Answers of a corked stream until the server has told of all that it has done without.
  var answersToGoBack: Int {
    quirks.tellsUnderruns ? 1 + UnbrokenReading.answersBeforeCertainty : 1
  }

  func tell(_ outcome: StreamRewind.Outcome?) {
    switch outcome {
    case nil, .some(.none): break
    case .tellsMissed(let frame):
      // It went past all that it held before it was corked.
      if progress.read == frame { events?.outputMissed(from: frame) }
    case .tellsPolicy: events?.outputTells(.interruptionBegan(.policy))
    }
  }

  /// The corked stream has told where it stands: there the frame comes that is to be heard again, or one
  /// before it that the server has told meanwhile to have done without.
  func rewind(_ report: TimingReport?) {
    assertLocked()
    guard let stream else { return }
    switch state.rewindAnswered(hasReport: report != nil) {
    case .none: break
    case .askAgain:
      afterPause { [weak self] in
        guard let self, state.rewind != nil, !state.isHandingOver else { return }
        askWhereItStands(.rewind)
      }
    case .playAgain(let due): playAgain(due, on: stream, by: report)
    }
  }

  private func playAgain(
    _ due: StreamRewind, on stream: PlaybackStream, by report: TimingReport?
  ) {
    streamClock.freeze()
    let read = report?.read ?? progress.read
    let again = min(due.frame, read)
    let first = events?.firstFrameAgain(from: again) ?? again
    // As in `write`: what it had nothing for the server counts as written.
    let skipped = read - stream.nextWrite
    reports.count(back: read - first)
    if skipped > 0 { reports.skips(skipped, to: first, target: targetLength) }
    stream.count(back: read - first)
    streamClock.begin(sampleRate: storedFormat.sampleRate, at: first)
    progress.begin(at: first)
    rewrites.forget()
    asked.pending.remove(.underrun)
    beginReading(at: first)
    rewriteMargin.forgetBlocks()
    publishClock()
    events?.outputLosesDevice()
    tell(due.outcome)
    switch state.goOn() {
    case .none: break
    case .begin: learnClock()
    case .unheard: stopWithoutHearing()
    }
    events?.outputRestarted(at: first)
    askForAnswers()
  }

  // MARK: A stream that is gone

  /// The stream that is played on, or the one that was to take over, is gone.
  func lose(_ error: PulseError, _ lost: PlaybackStream) {
    assertLocked()
    if lost === next?.stream {
      let action = state.handoverLost(answers: answersToGoBack)
      next = nil
      lost.close()
      lookWhereItStays()
      switch action {
      case .none: break
      case .stay: askForAnswers()
      case .goBack(let deepens):
        if deepens { stream?.deepen() }
        askWhereItStands(.rewind)
      }
      return goToWished()
    }
    guard lost === stream else { return }
    streamClock.freeze()
    let next = next
    if state.interruptions.contains(.policy) {
      request.isMuted = next?.stream.isOutputMuted == true
    }
    let (due, ended) = next == nil ? state.lost() : (state.left(), [])
    (stream, self.next) = (nil, nil)
    timers.cancelWake()
    events?.outputLosesDevice()
    stopWithoutHearing()
    events?.outputTells(.outputLost(error))
    tell(due?.outcome)
    tell(ended: ended)
    lost.close()
    if let next {
      adopt(next.stream, heard: min(knownHeard, streamClock.shownUpTo), reason: next.reason)
      events?.outputTells(.outputReturned)
    } else {
      askForAnswers()
      carryOut(state.link.lost(), reason: nil)
    }
  }

  // MARK: The next stream

  /// Goes on with `next`, what comes before frame `heard` having been heard.
  func adopt(_ next: PlaybackStream, heard: StreamFrame, reason: RouteChange.Reason?) {
    progress.forget(at: HostTime.now())
    reports.beginStream()
    rewrites = RewriteCheck()
    asked.forget()
    answerTimes = AnswerTimes()
    rewriteMargin = RewriteMargin(sampleRate: next.format.sampleRate)
    stream = next
    let isSameFormat = next.format == storedFormat
    // A stream that is made during a call is muted at once, and libpulse drops the wish to have it corked, which comes
    // before the stream is known.
    let isStillMuted = state.interruptions.contains(.policy) && next.isOutputMuted
    let adoption = state.adopted(
      isSameFormat: isSameFormat, isCorkRequested: next.isCorkRequested || isStillMuted)
    if isSameFormat {
      // A server may say that more is on its way to the listener than it was given.
      let first = max(
        0,
        events?.firstFrameOfDevice(heard: heard, clock: streamClock.shownUpTo)
          ?? max(heard, streamClock.shownUpTo))
      next.begin(at: first.number)
      streamClock.begin(sampleRate: storedFormat.sampleRate, at: first)
      progress.begin(at: first)
      beginReading(at: first)
      publishClock()
      if adoption.runs { learnClock() }
      events?.outputRestarted(at: first)
    } else {
      storedFormat = next.format
      streamClock.begin(sampleRate: storedFormat.sampleRate, at: 0)
      streamClock.forgetShown()
      progress.begin(at: 0)
      beginReading(at: 0)
      // First what any frame means, then the frames.
      events?.outputReplaced(at: heard)
      publishClock()
    }
    if let name = next.sinkName {
      route(to: name, reason: reason, isSameFormat: isSameFormat)
      lookIfMoved(next)
    }
    askForAnswers()
    tell(ended: adoption.ended)
    if adoption.began.contains(.policy) { events?.outputTells(.interruptionBegan(.policy)) }
    goToWished()
  }

  /// Tells that interruptions are over.
  private func tell(ended: PulseDeviceState.Interruptions) {
    if ended.contains(.policy) { events?.outputTells(.interruptionEnded(.policy)) }
    if ended.contains(.suspension) { events?.outputTells(.interruptionEnded(.deviceSuspended)) }
  }

  /// Goes to the wished device where that is there; but for `afterLook` only where nobody could when that was seen.
  func goToWished(afterLook: Bool = false) {
    assertLocked()
    let isBusy = stream == nil || next != nil || state.link.state != .connected
    guard devices.goesToWished(request.device, isBusy: isBusy, afterLook: afterLook) else { return }
    carryOut(state.link.wanted(), reason: .newDeviceAvailable)
  }

  /// Tells of another device, of none, or of the same one in another format.
  func route(to name: String?, reason: RouteChange.Reason?, isSameFormat: Bool = true) {
    assertLocked()
    guard name != devices.inUse || !isSameFormat else { return }
    let previous = devices.inUse
    devices.inUse = name
    let known = devices.known.reason(from: previous, to: name, at: HostTime.now())
    events?.outputTells(
      .routeDidChange(
        RouteChange(
          reason: name == previous ? known : reason ?? known, previous: previous, current: name)))
  }
}
