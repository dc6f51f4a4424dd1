// SPDX-License-Identifier: Apache-2.0

import MediaTime

// Called by the output, with its lock held.
extension AudioRenderer: AudioOutputEvents {
  func outputNeedsFrames() {
    topUp()
    signalIfReady()
  }

  func outputUnderran(read: Int64) {
    guard line.transport == .running else { return }
    guard read > line.written else { return topUp(isChecked: true) }
    // The end of finished media is no underrun: `outputStopped` follows.
    if line.isFinished && line.written == line.ring.end { return }
    line.stall()
    underruns += 1
    publishMap()
    send(.underrun(at: mediaTime(ofFrame: line.idleMedia)))
    if isPrimed { performLocked(.resume) } else { output.stop(afterFrame: read) }
    signalIfReady()
    timelineChanged?()
  }

  func outputStopped() {
    guard line.transport == .running, line.isFinished, line.written == line.ring.end else { return }
    line.end()
    publishMap()
    send(.drained)
    signalIfReady()
    timelineChanged?()
  }

  func outputClockChanged() {
    if let scheduled, scheduled.silentUpTo != nil {
      performLocked(.advanceSchedule(scheduled.number))
    }
    timelineChanged?()
  }

  func outputFailed(_ error: any Error) {
    guard storedStatus != .failed else { return }
    storedStatus = .failed
    storedError = error
    resumeWaiters(throwing: error)
    let waiting = commands
    commands.removeAll()
    for command in waiting { refuse(command) }
    send(.failed(error))
    timelineChanged?()
  }

  func outputMoved() {
    outputClockChanged()
    send(.outputConfigurationDidChange)
  }

  func outputSpliceWasLate(by frames: Int64) {
    lateSplices += 1
    send(.lateSplice(frames: frames))
  }

  func mediaTime(ofFrame frame: Int64) -> MediaTime {
    MediaTime(value: frame, timescale: Int32(format.sampleRate))
  }
}
