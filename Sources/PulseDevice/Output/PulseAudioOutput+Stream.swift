// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio
import Rendering
import SampleBuffers

// On the mainloop's thread, with its lock held.
extension PulseAudioOutput: PlaybackStreamEvents {
  func framesRequested(_ frames: Int, by stream: PlaybackStream) {
    assertLocked()
    guard stream === self.stream, hasDevice else { return }
    // How many is said wrong after a seek: the read index says it. Far from an underrun its estimate
    // is enough, and spares a wakeup; not after a silence of the server, which may have gone far
    // beyond it: 71,850 frames were written into the past.
    let isFar =
      streamClock.line.isRunning && !streamClock.isHeld
      && targetLength >= Int64(storedFormat.sampleRate / 4)
      && estimatedRead() + targetLength / 4 < stream.nextWrite
    if isFar || !stream.requestTiming(TimingQuestion.fill.rawValue) { events?.outputNeedsFrames() }
  }

  func timingArrived(_ report: TimingReport?, token: Int, on stream: PlaybackStream) {
    assertLocked()
    guard stream === self.stream else { return }
    take(report, for: TimingQuestion(rawValue: token), on: stream)
  }

  func timingRequested(of stream: PlaybackStream) {
    assertLocked()
    // A clock that holds goes on with an answer only.
    guard stream === self.stream, quirks.holdsWhileStopped, !streamClock.isHeld else { return }
    publishClock()
  }

  func underflowed(at index: Int64, on stream: PlaybackStream) {
    assertLocked()
    guard stream === self.stream else { return }
    let frame = StreamFrame(index)
    guard state.hasDevice else {
      if progress.reading.isMissing(from: frame) {
        state.rewinds(from: frame, answers: answersToGoBack)
      }
      return
    }
    let isOutdated = stream.isOnRewindingNullSink && progress.reading.holds(frame)
    guard isRunning, !stream.isSettling, !isOutdated, !missed(from: frame, stream) else { return }
    askWhetherUnderrun()
  }

  func suspended(_ isSuspended: Bool, on stream: PlaybackStream) {
    assertLocked()
    guard stream === self.stream else { return }
    switch state.suspended(isSuspended) {
    case .none: return
    case .begins(let endsUnheard):
      streamClock.freeze()
      // What is left to be heard of a pause is a fade, which is heard when the device goes on.
      if endsUnheard {
        events?.outputLosesDevice()
        stopWithoutHearing()
      }
      events?.outputTells(.interruptionBegan(.deviceSuspended))
    case .ends(let learnsClock):
      if learnsClock { learnClock() }
      events?.outputTells(.interruptionEnded(.deviceSuspended))
    }
    events?.outputClockChanged()
  }

  func bufferAttributesChanged(on stream: PlaybackStream) {
    assertLocked()
    if stream === self.stream { _ = ask(.fill) }
  }

  func outputVolumeChanged(on stream: PlaybackStream) {
    assertLocked()
    guard stream === self.stream, !state.isHandingOver else { return }
    let wasMuted = request.isMuted
    (request.volume, request.isMuted) = (stream.outputVolume, stream.isOutputMuted)
    // PulseAudio mutes a stream that it wants to be corked. One that is not corked yet when the call
    // is over it unmutes only, and does not ask to go on.
    if wasMuted, !request.isMuted { corkRequested(false, on: stream) }
    events?.outputTells(.outputVolumeDidChange(request.volume, isMuted: request.isMuted))
  }

  func corkRequested(_ cork: Bool, on stream: PlaybackStream) {
    assertLocked()
    guard stream === self.stream else { return }
    switch state.corkRequested(cork) {
    case .none: break
    case .holds:
      // The stream is muted since some time after the last report: this message may have lain unread.
      // 23,284 frames were played into the mute.
      rewind(
        to: min(knownHeard, heardFrame), outcome: .tellsPolicy)
    case .ends(let goesOn):
      if goesOn { rewind(to: .max) }
      events?.outputTells(.interruptionEnded(.policy))
    }
  }

  func failed(_ error: PulseError, on stream: PlaybackStream) {
    assertLocked()
    lose(error, stream)
  }

  func moved(_ stream: PlaybackStream) {
    assertLocked()
    guard stream === self.stream, !state.isHandingOver else { return }
    // The sink's delay is another one.
    rewriteMargin.forgetBlocks()
    streamClock.freeze()
    progress.heardBeforeMove = min(knownHeard, streamClock.shownUpTo)
    if isRunning { learnClock() }
    events?.outputClockChanged()
    look(through: stream.connection, afterMove: true)
  }

  // MARK: The devices that there are

  /// Follows the devices of a server from now on; not with the lock held.
  func look(through connection: PulseConnection) {
    connection.onDevicesChanged { [weak self, weak connection] in
      guard let self, let connection else { return }
      look(through: connection, afterMove: false)
    }
    look(through: connection, afterMove: false)
  }

  /// Asks the server for its devices, on a thread that may wait.
  func look(through connection: PulseConnection, afterMove: Bool) {
    guard withLock({ devices.look.wanted(afterMove: afterMove) }) else { return }
    DispatchQueue(label: "attacca.look").async { [weak self] in
      let sinks: [PulseSink]
      let isPipeWire: Bool
      do throws(PulseError) {
        sinks = try connection.sinks()
        isPipeWire = try connection.serverDescription().isPipeWire
      } catch {
        // That server is gone, which its stream tells; another may have been asked for since.
        self?.stopLooking(through: connection)
        return
      }
      guard let self else { return }
      let again = withLock { () -> Bool in
        let isOutdated = devices.look.ended()
        devices.quirks.isPipeWire = isPipeWire
        let indices = sinks.map { ($0.name, $0.index) }
        devices.known.update(Dictionary(indices) { $1 }, at: HostTime.now())
        settle(sinks, afterMove: afterMove)
        return isOutdated
      }
      if again { look(through: connection, afterMove: false) }
    }
  }

  /// A look has brought nothing: the one that waited for its end goes through the present connection.
  private func stopLooking(through lost: PulseConnection) {
    let next = withLock { () -> PulseConnection? in
      guard devices.look.ended(), let present = stream?.connection, present !== lost else {
        return nil
      }
      return present
    }
    if let next { look(through: next, afterMove: false) }
  }

  /// Draws the consequences of what devices there are.
  private func settle(_ sinks: [PulseSink], afterMove: Bool) {
    request.device = devices.wish(
      whereDefaultIs: sinks.first(where: \.isDefault)?.name, wished: request.device,
      at: HostTime.now())
    if !afterMove || !followsMove(sinks) { watchPort(sinks) }
    // The wished device is back: the server had moved the stream, or it was opened elsewhere.
    goToWished(afterLook: true)
  }

  /// Follows the present stream to another sink, or to its own in another format; returns false where it stayed.
  private func followsMove(_ sinks: [PulseSink]) -> Bool {
    guard let stream, next == nil, let name = stream.sinkName else { return false }
    let sink = sinks.first { $0.name == name }
    if let sink { stream.isNow(on: sink) }
    // One that went and came back meanwhile may have another format.
    guard name != devices.inUse || sink.map({ $0.format != stream.format }) == true else {
      return false
    }
    // One that went and came back under its name nobody has left.
    let isLeft = sinks.contains {
      $0.name == request.device && $0.index == stream.firstDeviceIndex
    }
    moved(to: name, sink, stream, leavesWished: isLeft && name != request.device)
    return true
  }

  /// Tells where what was plugged into the sink that is played on has been pulled out.
  private func watchPort(_ sinks: [PulseSink]) {
    guard let name = devices.inUse, let sink = sinks.first(where: { $0.name == name }),
      devices.port.update(sink: name, port: sink.port, unplugged: sink.unpluggedPorts)
    else { return }
    events?.outputTells(
      .routeDidChange(
        RouteChange(reason: .oldDeviceUnavailable, previous: name, current: name)))
  }

  /// The server, or the user through it, has moved the stream, away from a wished device that is there if
  /// `leavesWished`.
  private func moved(
    to name: String, _ sink: PulseSink?, _ stream: PlaybackStream, leavesWished: Bool
  ) {
    assertLocked()
    let reason = devices.known.reason(from: devices.inUse, to: name, at: HostTime.now())
    if reason == .override || leavesWished {
      // What the user chose there is what is wished from now on.
      request.device = devices.wish(
        afterMoveTo: name, isDefault: sink?.isDefault == true, wished: request.device,
        at: HostTime.now())
    }
    let step = devices.step(
      afterMove: sink.map { $0.format == stream.format },
      holdsSilence: sink.map { $0.isRewindingNullSink && $0.latency > .milliseconds(50) } == true,
      reason: reason)
    if step != .open { route(to: name, reason: reason) }
    switch step {
    case .goOn: break
    case .goBack: rewind(to: .max)
    case .goBackToHeard: rewind(to: progress.heardBeforeMove)
    case .open:
      guard case .open(let generation) = state.link.wanted() else { return }
      attempt(generation, on: sink?.isDefault == true ? nil : name, reason: reason)
    }
  }
}
