// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio
import Rendering
import SampleBuffers

// A stream that lives hands over to another one, with the lock held.
extension PulseAudioOutput {
  /// Has `new` take over, once all has been heard that only the present stream has.
  func handOver(to new: PlaybackStream, reason: RouteChange.Reason?) {
    assertLocked()
    next?.stream.close()
    next = SucceedingStream(
      stream: new, reason: reason ?? .override, waitsUntil: HostTime.now() + Self.trust)
    // One that stops already has nothing more to be heard.
    if state.isHandingOver { stopForNext() } else { handOverOnceHeard() }
  }

  /// Waits for what is still to be heard of a pause, or before a start.
  private func handOverOnceHeard() {
    guard let next, !state.isHandingOver else { return }
    let isHeard = state.mayHandOver(
      from: events?.firstFrameToHandOver ?? .min, heard: knownHeard)
    guard isHeard || HostTime.now() >= next.waitsUntil else {
      _ = ask(.clock)
      return timers.queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [weak self] in
        guard let self else { return }
        withLock { self.handOverOnceHeard() }
      }
    }
    stopForNext()
  }

  /// Stops the present stream, and has it tell where.
  ///
  /// Corked first, it tells a read index that will not move: all that lies before it is heard, what
  /// a sink that takes frames back has not played is not before it any more.
  private func stopForNext() {
    state.handOver()
    timers.cancelWake()
    stream?.cork(true)
    askWhereItStands(.handover)
  }

  /// The present stream has told where it stopped.
  ///
  /// A stream may have gone past a gap that its server has not told of. Two answers more are certain; the frame that the
  /// first one is certain of lay up to 0.4 s back, and was heard again from there. A server that answers slowly is not
  /// asked again.
  func handOver(_ report: TimingReport?) {
    assertLocked()
    let read = report.map { certainRead($0) }
    if let report, let next, read?.isInDoubt == true, report.roundTrip < Self.slowAnswer,
      HostTime.now() < next.waitsUntil
    {
      return afterPause { [weak self] in
        guard let self, state.isHandingOver else { return }
        askWhereItStands(.handover)
      }
    }
    let doubtful = quirks.doubtfulFramesOnCork(
      sampleRate: storedFormat.sampleRate, largestBlock: rewriteMargin.largestBlock)
    let end = read.map { max($0.frame - doubtful, knownHeard) }
    // Not here: the stream is not to be closed in its own answer.
    timers.queue.async { [weak self] in
      guard let self else { return }
      withLock { self.finishHandover(end) }
    }
  }

  private func finishHandover(_ end: StreamFrame?) {
    guard state.isHandingOver, let next, let old = stream else { return }
    streamClock.freeze()
    request.volume = old.outputVolume
    // One that the server wants corked the server has muted.
    let isPolicy = state.interruptions.contains(.policy) || next.stream.isCorkRequested
    request.isMuted = (isPolicy ? next.stream : old).isOutputMuted
    // What the old stream was to play again the new one plays: the old one's answer never comes.
    let due = state.left()
    (stream, self.next) = (nil, nil)
    old.close()
    events?.outputLosesDevice()
    stopWithoutHearing()
    tell(due?.outcome)
    let heard = progress.firstFrameOfNext(end: end, due: due)
    adopt(next.stream, heard: heard, reason: next.reason)
  }
}
