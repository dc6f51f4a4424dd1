// SPDX-License-Identifier: Apache-2.0

package import MediaTime

// What is to be there before a line goes on that had nothing left, where whoever enqueues has waited.
extension AudioRenderer {
  /// Holds media time until so much content lies ahead, or all there is; nothing is done while there is some.
  ///
  /// An output that is pulled is stopped for it: it would go on with every frame that comes.
  ///
  /// - Returns: whether it is held.
  package func hold(for preroll: RationalTime) -> Bool {
    output.withLock {
      let isRunning = line.transport == .running
      guard preroll > .zero, !line.isFinished, !line.runsOn, lead <= 0, isRunning || line.isStalled
      else {
        return false
      }
      let frames = preroll.frames(at: line.rate)
      starts.condition.hold(for: frames)
      line.reserve(Self.capacity(of: output, format, conversion.pace) + Int(frames))
      if isRunning, output.isPulled {
        line.stall()
        publishMap()
        output.stop(afterFrame: line.written)
        callbacks.timelineChanged?()
      }
      signalIfReady()
      return true
    }
  }

  /// Goes on with as much as ever, or with whatever there is: no more is wanted of what was waited for.
  package func endHold() {
    output.withLock {
      guard starts.condition.prerollFrames > 0 else { return }
      forgetHold()
      starts.condition.startsShort = lead > 0
      if case .stalled = line.transport, isPrimed { performLocked(.resume) }
    }
  }

  /// With the output's lock held.
  func forgetHold() {
    assertLocked()
    if starts.condition.endHold() { callbacks.wentOn?() }
  }
}
