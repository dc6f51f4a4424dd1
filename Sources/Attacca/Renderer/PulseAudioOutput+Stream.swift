// SPDX-License-Identifier: Apache-2.0

import PulseAudio

// On the mainloop's thread, with its lock held.
extension PulseAudioOutput: PlaybackStreamEvents {
  func framesRequested(_ frames: Int, by stream: PlaybackStream) {
    // How many is said wrong after a seek: the read index says it. Far from an underrun its estimate
    // is enough, and spares two wakeups.
    let isFar =
      clock.line.isRunning && targetLength >= Int64(format.sampleRate / 4)
      && estimatedRead() + targetLength / 2 < stream.nextWriteFrame
    if isFar || !stream.requestTiming(Question.fill.rawValue) { events?.outputNeedsFrames() }
  }

  func timingArrived(_ report: TimingReport?, token: Int, on stream: PlaybackStream) {
    let question = Question(rawValue: token)
    if question == .underrun { isAskingUnderrun = false }
    guard let report else {
      if question == .position { isPositionRefused = true }
      return
    }
    if isPositionRefused { askPosition() }
    lastRead = max(lastRead, report.readFrame)
    lastReport = report.hostTime
    ahead = report.framesRenderedAhead(sampleRate: format.sampleRate)
    if isRunning {
      reach.note(report, drift: clock.isDriftKnown ? clock.partsPerMillion : nil)
      if clock.update(report, now: HostTime.now()) {
        let wasStopped = !line.isRunning
        publish()
        if wasStopped { events?.outputClockChanged() }
      }
    }
    // Behind what was written there may be old silence, of which the server does not say that it is
    // an underrun. And what would come too late to be heard in full is not to be written.
    if isRunning {
      let first = reach.reachable(report, now: HostTime.now(), writeTime: writeTime)
      if first > stream.nextWriteFrame { events?.outputUnderran(read: first) }
    }
    switch question {
    case .position: answerAll(report)
    case .splice: checkSplice(report)
    case .underrun: events?.outputUnderran(read: report.readFrame)
    case .fill: events?.outputNeedsFrames()
    case .clock, nil: break
    }
  }

  private func answerAll(_ report: TimingReport) {
    let position = OutputPosition(
      read: report.readFrame, replaceable: replaceable(report),
      safe: isRunning
        ? reach.safe(report, now: HostTime.now(), writeTime: writeTime) : report.readFrame,
      heard: heardFrame(atHostTime: HostTime.now()))
    let due = answers
    answers.removeAll(keepingCapacity: true)
    for answer in due { answer(position) }
  }

  private func checkSplice(_ report: TimingReport) {
    guard let frame = rewriteFrame else { return }
    rewriteFrame = nil
    // Seen right after the rewrite: what the sink has taken by now it may have taken before.
    guard report.readFrame > frame, isRunning else { return reach.wasInTime() }
    let late = report.readFrame - frame
    reach.wasLate(by: late)
    events?.outputSpliceWasLate(by: late)
  }

  func underflowed(at frame: Int64, on stream: PlaybackStream) {
    guard isRunning else { return }
    askWhetherUnderrun()
  }

  func moved(_ stream: PlaybackStream) {
    reach.forgetBlocks()
    events?.outputMoved()
  }

  func suspended(_ isSuspended: Bool, on stream: PlaybackStream) {
    if isSuspended {
      clock.freeze(atHostTime: HostTime.now())
      publish()
    } else {
      learnClock()
    }
  }

  func bufferAttributesChanged(on stream: PlaybackStream) {
    stream.requestTiming(Question.fill.rawValue)
  }

  func drained(_ isComplete: Bool, on stream: PlaybackStream) {}

  func outputVolumeChanged(on stream: PlaybackStream) {}

  func corkRequested(_ cork: Bool, on stream: PlaybackStream) {}

  func failed(_ error: PulseError, on stream: PlaybackStream) {
    isRunning = false
    clock.freeze(atHostTime: HostTime.now())
    publish()
    failure = error
    events?.outputFailed(error)
  }
}
