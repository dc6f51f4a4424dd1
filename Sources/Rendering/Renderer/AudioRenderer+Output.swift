// SPDX-License-Identifier: Apache-2.0

package import MediaTime
import SampleBuffers

// Called by the output, with its lock held.
extension AudioRenderer: AudioOutputEvents {
  package func outputNeedsFrames() {
    assertLocked()
    topUp()
    signalIfReady()
  }

  package func outputUnderran(read: StreamFrame) {
    assertLocked()
    guard line.transport == .running else { return }
    guard read > line.written else { return topUp(isChecked: true) }
    // The end of finished media is no underrun: `outputStopped` follows.
    if line.isFinished && line.written == line.ring.end { return }
    if isRunningOn {
      health.underran()
      send(.underrun(at: mediaTime(ofFrame: line.map.media(at: line.written))))
      return fillIn(from: line.written)
    }
    line.stall()
    given.underrunEnd = line.written
    health.underran()
    publishMap()
    send(.underrun(at: mediaTime(ofFrame: line.idleMedia)))
    if isPrimed {
      performLocked(.resume)
    } else {
      output.stop(afterFrame: read)
      limitWait()
    }
    signalIfReady()
    callbacks.timelineChanged?()
  }

  package func outputMissed(from frame: StreamFrame) {
    assertLocked()
    guard line.transport == .running else { return }
    // Behind the end there is silence, of which nothing can be missing.
    if line.isFinished && frame >= line.ring.end { return }
    health.underran()
    send(.underrun(at: mediaTime(ofFrame: line.map.media(at: frame))))
  }

  package func outputStopped() {
    assertLocked()
    guard isDraining else { return }
    line.end()
    publishMap()
    send(.drained)
    signalIfReady()
    callbacks.timelineChanged?()
  }

  package func outputClockChanged() {
    assertLocked()
    if let scheduled = starts.scheduled, scheduled.silentUpTo != nil {
      performLocked(.advanceSchedule(scheduled.number))
    }
    callbacks.timelineChanged?()
  }

  package func outputLosesDevice() {
    assertLocked()
    callbacks.timelineChanged?()
    guard line.transport == .running else { return }
    // What was to be drained has not been heard.
    given.hasPadded = false
    output.start()
  }

  package func firstFrameOfDevice(heard: StreamFrame, clock: StreamFrame) -> StreamFrame {
    assertLocked()
    let last = line.map.last.stream
    guard line.transport == .running else { return max(last, heard, clock) }
    // What was asked for since the device went is heard at once, and nothing before it.
    return heard < clock && last >= clock ? last : firstFrameAgain(from: heard)
  }

  package func firstFrameAgain(from frame: StreamFrame) -> StreamFrame {
    assertLocked()
    guard line.transport == .running else { return frame }
    return max(frame, line.map.lastJump ?? frame)
  }

  package var firstFrameToHandOver: StreamFrame {
    assertLocked()
    return line.transport == .running ? line.ring.begin : given.silentFrom
  }

  package func outputRestarted(at first: StreamFrame) {
    assertLocked()
    given.restart()
    starts.restartSilence(at: first)
    line.rewind(to: first, fade: Fade.standard.frames(at: format.sampleRate))
    topUp(isChecked: true)
    signalIfReady()
    callbacks.timelineChanged?()
  }

  package func outputReplaced(at end: StreamFrame) {
    assertLocked()
    let wasEmpty = line.ring.count == 0
    let reached = line.tail > 0 ? min(end, line.endOfContent) : end
    // A jump that was on its way to the listener is heard now.
    let media =
      line.transport == .running
      ? line.map.media(at: firstFrameAgain(from: reached)) : line.idleMedia
    let time = RationalTime(media, rate: line.rate)
    // Another direction comes with its content.
    conversion = ConversionChain(
      output: format, quality: quality, pace: wanted.speed.pace.directed(line.isReversed),
      effects: wanted.effects.setting)
    let rate = conversion.timelineRate
    line = RenderLine(
      channelCount: format.channelCount, capacity: capacity(for: wanted.speed.pace),
      rate: rate, sampleRate: format.sampleRate, replacing: line, from: end,
      at: time.timelineFrame(at: rate))
    intake.unheardBuffers.removeAll()
    intake.replaceConversion()
    given.replaceDevice()
    starts.restartSilence(at: 0)
    publishMap()
    tapDevice(after: end)
    send(.outputConfigurationDidChange)
    intake.awaitsFlush = !wasEmpty
    if intake.awaitsFlush {
      send(.wasFlushedAutomatically(at: mediaTime(ofFrame: line.idleMedia)))
    }
    // Whoever continues the old line is told in any case: all of that may have been heard.
    callbacks.discarded?()
    signalIfReady()
    callbacks.timelineChanged?()
  }

  package func outputTells(_ event: RendererEvent) {
    assertLocked()
    send(event)
  }

  package func outputFailed(_ error: any Error) {
    assertLocked()
    guard health.fail(error) else { return }
    for waiter in producers.waiters.takeAll() { waiter.resume(.failure(error)) }
    for command in commands.abandon() { refuse(command) }
    send(.failed(error))
    callbacks.timelineChanged?()
  }

  package func outputSpliceWasLate(
    for missed: Range<StreamFrame>, read: StreamFrame, isDelayable: Bool
  ) -> Bool {
    assertLocked()
    attachedTap?.recorder.wasLate(upTo: read)
    if isDelayable, line.delaySplice(to: read) {
      if given.hasPadded {
        given.hasPadded = false
        output.start()
      }
      publishMap()
      topUp(isChecked: true)
      callbacks.timelineChanged?()
      return true
    }
    line.forgetCrossfade()
    health.splicedLate()
    send(.lateSplice(frames: Int64(missed.count)))
    return false
  }

  package func outputSpliceWasInTime() {
    assertLocked()
    line.forgetCrossfade()
    attachedTap?.recorder.wasInTime()
  }

  package var isOver: Bool {
    assertLocked()
    return health.status == .failed || (line.isFinished && line.ring.count == 0)
  }

  package var isDraining: Bool {
    assertLocked()
    return line.transport == .running && line.isFinished && line.written == line.ring.end
  }

  func mediaTime(ofFrame frame: TimelineFrame) -> MediaTime {
    MediaTime(value: (line.isReversed ? -frame : frame).number, timescale: Int32(line.rate))
  }
}
