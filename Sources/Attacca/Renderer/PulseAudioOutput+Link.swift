// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio

// From one stream to the next. Streams are opened on a thread that may wait, for 30 s where a server
// takes the connection and does not answer; all else is done with the lock held.
extension PulseAudioOutput {
  /// Opens a stream; blocks until it is there.
  ///
  /// Not with the lock held. `connection` is the one to open it on, if there is one. `fallsBack` says
  /// that the default device will do where the wished one is not there, or refuses.
  func open(
    _ wish: Wish, on connection: PulseConnection?, fallsBack: Bool
  ) throws(PulseError) -> (connection: PulseConnection, stream: PlaybackStream) {
    let (volume, isMuted) = withLock { (storedVolume, storedMute && !isCorkWanted) }
    let connection =
      if let connection {
        connection
      } else {
        try PulseConnection(
          mainloop: mainloop, server: wish.server, applicationName: wish.applicationName)
      }
    func open(on device: String?) throws(PulseError) -> PlaybackStream {
      try PlaybackStream(
        connection: connection, sink: device, latency: wish.latency, startsDeep: true,
        mediaName: wish.mediaName, volume: volume, isMuted: isMuted, events: self)
    }
    do throws(PulseError) {
      return (connection, try open(on: wish.device))
    } catch {
      guard fallsBack, wish.device != nil, !error.isServerMissing else { throw error }
      return (connection, try open(on: nil))
    }
  }

  /// The first stream.
  func begin(with stream: PlaybackStream) {
    storedFormat = stream.format
    clock = DeviceClock(sampleRate: storedFormat.sampleRate)
    reach = RewriteReach(sampleRate: storedFormat.sampleRate)
    self.stream = stream
    sinkInUse = stream.sinkName
    publishClock()
    if sinkInUse == nil { lose(stream.goneError, stream) }
  }

  /// Plays on `device` from now on, on the user's default for nil.
  func switchDevice(to device: String?) {
    withLock {
      wish.device = device
      // Where it plays there already, nothing is to be done, unless a stream on another one is being opened.
      let isLeaving = successor != nil || waitingSuccessor != nil || link.isSwitching
      if stream != nil, device == nil || device != sinkInUse || isLeaving {
        carryOut(link.wanted(), reason: .override)
      } else if stream == nil {
        carryOut(link.wanted(), reason: nil)
      }
    }
  }

  func carryOut(_ action: Reconnection.Action, reason: RouteChange.Reason?) {
    switch action {
    case .none, .use, .discard, .stay, .fail: break
    case .wait(let nanoseconds, let generation):
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { [weak self] in
        guard let self else { return }
        withLock { self.carryOut(self.link.elapsed(generation), reason: nil) }
      }
      timer.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)))
      timer.resume()
      attemptTimer?.cancel()
      attemptTimer = timer
    case .open(let generation): attempt(generation, on: wish.device, reason: reason)
    }
  }

  /// Opens a stream for `generation`.
  func attempt(_ generation: Int, on device: String?, reason: RouteChange.Reason?) {
    var wish = wish
    wish.device = device
    let connection = stream?.connection
    // A queue of its own each time: no thread may wait for another that waits.
    DispatchQueue(label: "attacca.open").async { [weak self, wish] in
      guard let self else { return }
      do throws(PulseError) {
        let opened = try open(wish, on: connection, fallsBack: connection == nil)
        withLock { self.opened(opened.stream, generation, reason: reason) }
        if connection == nil { look(through: opened.connection) }
      } catch {
        withLock { self.refused(error, generation, device: wish.device) }
      }
    }
  }

  private func opened(
    _ new: PlaybackStream, _ generation: Int, reason: RouteChange.Reason?
  ) {
    guard link.opened(generation) == .use else { return new.close() }
    if stream != nil {
      handOver(to: new, reason: reason)
    } else {
      adopt(new, heard: min(knownHeard, floor), reason: reason)
      events?.outputTells(.outputReturned)
    }
    // It may be gone by now, which it told when it was not the one that is played on.
    if new.sinkName == nil, new === stream { lose(new.goneError, new) }
  }

  private func refused(_ error: PulseError, _ generation: Int, device: String?) {
    let action = link.refused(generation, .init(error.reason))
    switch action {
    case .stay:
      let present = sinkInUse
      wish.device = present
      events?.outputTells(.deviceRefused(device ?? "the default device", error))
    case .wait where error.isNotThere: route(to: nil, reason: nil)
    case .fail:
      (isRunning, isUncorkDue, stopAfter) = (false, false, nil)
      events?.outputFailed(error)
    case .none, .wait, .open, .use, .discard: break
    }
    carryOut(action, reason: nil)
  }

  // MARK: A stream that lives hands over

  /// Has `new` take over, once all has been heard that only the present stream has.
  private func handOver(to new: PlaybackStream, reason: RouteChange.Reason?) {
    waitingSuccessor?.stream.close()
    waitingSuccessor = (new, reason, HostTime.now() + Self.trust)
    handOverOnceHeard()
  }

  /// Waits for what is still to be heard of a pause, or before a start.
  ///
  /// The line has it no more, or holds behind it: 126 frames of PulseAudio, and 32,969 of a PipeWire that was
  /// slow, were heard by nobody.
  private func handOverOnceHeard() {
    guard let next = waitingSuccessor else { return }
    let isHeard =
      !hasDevice || !isRunning || isUncorkDue || isSuspended
      || knownHeard >= events?.firstFrameToHandOver ?? .min
    guard isHeard || HostTime.now() >= next.limit else {
      _ = ask(.clock)
      return queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [weak self] in
        guard let self else { return }
        withLock { self.handOverOnceHeard() }
      }
    }
    waitingSuccessor = nil
    stop(for: next.stream, reason: next.reason)
  }

  /// Stops the present stream, and has it tell where.
  ///
  /// Corked first, it tells a read index that will not move: all that lies before it is heard, what
  /// a sink that takes frames back has not played is not before it any more.
  private func stop(for new: PlaybackStream, reason: RouteChange.Reason?) {
    successor?.stream.close()
    successor = (new, reason ?? .override)
    timer?.cancel()
    timer = nil
    stream?.cork(true)
    if stream?.requestTiming(Question.handover.rawValue) != true { handOver(nil) }
  }

  /// The present stream has told where it stopped.
  func handOver(_ report: TimingReport?) {
    let doubtful = quirks.takesBackOnCork ? 0 : doubtfulFrames
    let end = report.map { max(certainRead($0) - doubtful, knownHeard) }
    // Not here: the stream is not to be closed in its own answer.
    queue.async { [weak self] in
      guard let self else { return }
      withLock { self.finishHandover(end) }
    }
  }

  private func finishHandover(_ end: StreamFrame?) {
    guard let next = successor, let old = stream else { return }
    // What the old stream was to play again the new one plays: the old one's answer never comes.
    let due = rewinding
    (successor, rewinding) = (nil, nil)
    freezeClock()
    (storedVolume, storedMute) = (old.outputVolume, old.isOutputMuted)
    stream = nil
    old.close()
    events?.outputLosesDevice()
    stopWithoutHearing()
    due?.then()
    var heard = min(end ?? knownHeard, due?.frame ?? .max)
    if next.stream.format != storedFormat {
      // Two of its longest quanta pass until the link is there.
      heard = min(heard, max(move.shown, mostHeardSinceMove - Int64(storedFormat.sampleRate / 12)))
    }
    adopt(next.stream, heard: heard, reason: next.reason)
  }

  /// The last frame that can have been heard since the server moved the stream, for some seconds from then on.
  ///
  /// PipeWire reads 16 quanta at once of a stream that it links to a sink of another format, plays them in time,
  /// and drops what is left when another stream takes over: 33,000 frames were heard by nobody.
  var mostHeardSinceMove: StreamFrame {
    let since = HostTime.now() - move.hostTime
    guard quirks.isPipeWire, since < 3_000_000_000 else { return .max }
    return move.shown + Int64(since) * Int64(storedFormat.sampleRate) / 1_000_000_000
  }

  // MARK: A stream that goes back

  /// Has what lies behind frame `frame` heard again on the stream that there is, which is corked, and
  /// does `then`, lock held.
  func rewind(to frame: StreamFrame, then: @escaping @Sendable () -> Void) {
    guard let stream, hasDevice, isRunning else { return then() }
    let answers = quirks.tellsUnderruns ? 1 + UnbrokenReading.answersBeforeCertainty : 1
    (rewinding, uncorked) = (Rewinding(frame: frame, answers: answers, then: then), nil)
    timer?.cancel()
    timer = nil
    stream.cork(true)
    if !isCorkWanted { stream.deepen() }
    if !stream.requestTiming(Question.rewind.rawValue) { rewind(nil) }
  }

  /// The corked stream has told where it stands: there the frame comes that is to be heard again, or one
  /// before it that the server has told meanwhile to have done without.
  func rewind(_ report: TimingReport?) {
    // A stream that hands over plays nothing again.
    guard let stream, let due = rewinding, successor == nil else { return }
    if report != nil, due.answers > 1 {
      rewinding?.answers -= 1
      return afterPause { [weak self] in
        guard let self, rewinding != nil, let stream = self.stream else { return }
        if !stream.requestTiming(Question.rewind.rawValue) { rewind(nil) }
      }
    }
    freezeClock()
    rewinding = nil
    let read = report?.read ?? lastRead
    let again = min(due.frame, read)
    let first = events?.firstFrameAgain(from: again) ?? again
    // As in `write`: what it had nothing for the server counts as written.
    let skipped = read - stream.nextWrite
    asksOnlyFrom = skipped > 0 ? first + skipped + targetLength : 0
    stream.count(back: read - first)
    clock = DeviceClock(sampleRate: storedFormat.sampleRate, at: first.number)
    (lastRead, knownHeard, ahead, rewrite) = (first, first, 0, nil)
    isAskingUnderrun = false
    beginReading(at: first)
    reach.forgetBlocks()
    publishClock()
    events?.outputLosesDevice()
    due.then()
    if isRunning, !isCorkWanted {
      isUncorkDue = true
      learnClock()
    }
    events?.outputRestarted(at: first)
    askForAnswers()
  }

  // MARK: A stream that is gone

  /// The stream that is played on, or the one that was to take over, is gone.
  func lose(_ error: PulseError, _ lost: PlaybackStream) {
    if let waiting = waitingSuccessor, lost === waiting.stream {
      waitingSuccessor = nil
      return waiting.stream.close()
    }
    if let next = successor, lost === next.stream {
      successor = nil
      next.stream.close()
      if rewinding != nil {
        if stream?.requestTiming(Question.rewind.rawValue) != true { rewind(nil) }
        return
      }
      if isRunning { stream?.cork(false) }
      return askForAnswers()
    }
    guard lost === stream else { return }
    freezeClock()
    let waiting = waitingSuccessor.map { (stream: $0.stream, reason: $0.reason ?? .override) }
    let next = successor ?? waiting
    let rewinding = rewinding
    (stream, successor, waitingSuccessor, self.rewinding, uncorked) = (nil, nil, nil, nil, nil)
    timer?.cancel()
    timer = nil
    (isUncorkDue, isSuspended) = (isRunning, false)
    events?.outputLosesDevice()
    stopWithoutHearing()
    events?.outputTells(.outputLost(error))
    rewinding?.then()
    isCorkWanted = false
    lost.close()
    if let next {
      adopt(next.stream, heard: min(knownHeard, floor), reason: next.reason)
      events?.outputTells(.outputReturned)
    } else {
      askForAnswers()
      carryOut(link.lost(), reason: nil)
    }
  }

  // MARK: The next stream

  /// Goes on with `next`, what comes before frame `heard` having been heard.
  private func adopt(_ next: PlaybackStream, heard: StreamFrame, reason: RouteChange.Reason?) {
    (ahead, writeTime, usualWriteTime, asksOnlyFrom) = (0, 0, 0, 0)
    (missedFrame, missesInPlace) = (StreamFrame(.min / 2), 0)
    move = (0, 0, 0)
    reach = RewriteReach(sampleRate: next.format.sampleRate)
    (rewrite, isAskingUnderrun, isPositionRefused, isSuspended) = (nil, false, false, false)
    lastReport = HostTime.now()
    stream = next
    let isSameFormat = next.format == storedFormat
    if isSameFormat {
      // A server may say that more is on its way to the listener than it was given.
      let first = max(
        0, events?.firstFrameOfDevice(heard: heard, clock: floor) ?? max(heard, floor))
      next.begin(at: first.number)
      clock = DeviceClock(sampleRate: storedFormat.sampleRate, at: first.number)
      (lastRead, knownHeard) = (first, first)
      beginReading(at: first)
      publishClock()
      isUncorkDue = isRunning
      if isRunning { learnClock() }
      events?.outputRestarted(at: first)
    } else {
      (isRunning, isUncorkDue, stopAfter, uncorked) = (false, false, nil, nil)
      storedFormat = next.format
      clock = DeviceClock(sampleRate: storedFormat.sampleRate)
      (lastRead, knownHeard, floor) = (0, 0, 0)
      beginReading(at: 0)
      // First what any frame means, then the frames.
      events?.outputReplaced(at: heard)
      publishClock()
    }
    if let name = next.sinkName { route(to: name, reason: reason, isSameFormat: isSameFormat) }
    askForAnswers()
  }

  /// Tells of another device, of none, or of the same one in another format.
  func route(to name: String?, reason: RouteChange.Reason?, isSameFormat: Bool = true) {
    guard name != sinkInUse || !isSameFormat else { return }
    let previous = sinkInUse
    sinkInUse = name
    let known = devices.reason(from: previous, to: name, at: HostTime.now())
    events?.outputTells(
      .routeDidChange(
        RouteChange(
          reason: name == previous ? known : reason ?? known, previous: previous, current: name)))
  }
}
