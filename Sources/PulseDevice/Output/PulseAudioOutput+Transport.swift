// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio
import Rendering
import SampleBuffers

// What the stream is given, and when it runs; with the lock held.
extension PulseAudioOutput {
  func write(
    _ range: Range<StreamFrame>, of kind: OutputFrames,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    assertLocked()
    guard let stream, hasDevice else { return }
    let next = stream.nextWrite
    if isRunning && range.lowerBound > next {
      reports.skips(range.lowerBound - next, to: range.lowerBound, target: targetLength)
      if !timers.isWakeSet { wake(in: requestInterval) }
    }
    if state.isUncorked {
      progress.reading.wrote(range, next: next, underWay: stream.unansweredTimingRequests)
    } else {
      progress.reading.begin(with: range, underWay: stream.unansweredTimingRequests)
    }
    let began = HostTime.now()
    let first = max(StreamFrame(stream.firstFrame), range.lowerBound)
    let most = isUncorkDue && stream.isDeep ? stream.startLength : .max
    let count = min(Int(max(0, range.upperBound - first)), most)
    let isRewrite = state.isUncorked && range.lowerBound < next
    if isRewrite && !rewrites.isOpen { stream.requestTiming(TimingQuestion.before.rawValue) }
    var isAsked = false
    do throws(PulseError) {
      // What is behind the first block has time. Where it is placed anew it may come too late.
      let isPlaced = state.isUncorked && range.lowerBound > next
      let question = isRewrite ? TimingQuestion.splice : isPlaced ? .clock : nil
      isAsked = try stream.write(
        at: first.number, frames: count, asking: count > 0 ? question?.rawValue : nil
      ) {
        target, frame, count in render(target, StreamFrame(frame), count)
      }
    } catch {
      // The stream has failed: `failed` tells so, with the server's reason.
      return
    }
    // With what a start writes behind its first frames: a rewrite is of as many.
    defer { rewrites.wrote(in: Int64(HostTime.now() - began)) }
    if isRewrite {
      let isWanted = isRunning && !isUncorkDue
      if isWanted && count == 0 { isAsked = stream.requestTiming(TimingQuestion.splice.rawValue) }
      rewrites.rewrote(from: isWanted ? range.lowerBound : nil, isAsked: isAsked)
    }
    guard isRunning else { return }
    if isUncorkDue {
      // Not before: the sink would take silence instead of the first frames.
      uncork(stream, from: first, upTo: range.upperBound, render: render)
    } else if !isRewrite, HostTime.now() - progress.lastReport >= Self.reportInterval {
      stream.requestTiming(TimingQuestion.clock.rawValue)
    }
  }

  /// Has the stream run, whose next frames are those from `first` up to `end`.
  private func uncork(
    _ stream: PlaybackStream, from first: StreamFrame, upTo end: StreamFrame,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    stream.cork(false)
    state.uncorked(at: HostTime.now())
    guard stream.isDeep else { return }
    let rate = Int64(storedFormat.sampleRate)
    // The server has asked for all that a deep stream holds, and waits for that before it asks for more: a
    // player ran dry after 2.3 s.
    reports.asked(ahead: Int64(stream.deepLength), of: first, target: targetLength)
    if !timers.isWakeSet { wake(in: requestInterval) }
    // 5 ms are heard before the sink has to have given back the rest. Behind the end is silence.
    let next = first + rate / 200
    let last = max(end, next + rate / 20)
    do throws(PulseError) {
      try stream.settle(
        at: next.number, frames: Int(last - next), asking: TimingQuestion.settled.rawValue
      ) { target, frame, count in render(target, StreamFrame(frame), count) }
    } catch {
      // As in `write`.
    }
  }

  func setTransport(_ transport: OutputTransport) {
    switch transport {
    case .running: run()
    case .stopping(let frame): stop(behind: frame)
    }
  }

  private func run() {
    assertLocked()
    switch state.start() {
    case .none: break
    // What else the timer is for goes on, which a stop had taken it from.
    case .goOn: wake(in: 0)
    case .begin(let learnsClock):
      if learnsClock { learnClock() }
      reportBetweenRequests()
    }
  }

  /// Asks where the stream is between the server's requests, while it runs.
  private func reportBetweenRequests() {
    guard !timers.isReporting, requestInterval > Int(Self.reportInterval) else { return }
    timers.setReports(every: Int(Self.reportInterval) + 50_000_000) { [weak self] in
      guard let self else { return }
      withLock {
        let sinceReport = HostTime.now() - self.progress.lastReport
        guard self.isRunning, !self.isSuspended, sinceReport >= Self.reportInterval else { return }
        _ = self.ask(.clock)
      }
    }
  }

  /// Nanoseconds between the server's requests.
  var requestInterval: Int {
    max(1, stream?.minimumRequest ?? 1) * 1_000_000_000 / storedFormat.sampleRate
  }

  /// The clock knows nothing yet: a few reports early on, 310 ms in all.
  func learnClock() {
    assertLocked()
    wake(in: reports.learn())
  }

  private func stop(behind frame: StreamFrame) {
    assertLocked()
    switch state.stop(after: frame, drains: events?.isDraining == true) {
    case .none: break
    case .unheard: stopWithoutHearing()
    case .awaitEnd:
      _ = ask(.clock)
      wake(in: waitUntilHeard(frame))
    }
  }

  /// The end will not be heard: there is no device, or it stands still.
  ///
  /// What is left is a fade.
  func stopWithoutHearing() {
    assertLocked()
    guard let end = state.endUnheard() else { return }
    streamClock.raise(to: end)
    stopNow()
  }

  /// Nanoseconds until `frame` has been heard, or until it is time for another report.
  private func waitUntilHeard(_ frame: StreamFrame) -> Int {
    let now = HostTime.now()
    let most = Int(Self.reportInterval)
    if let time = streamClock.line.hostTime(of: frame) {
      return time > now ? min(Int(clamping: time - now), most) : 0
    }
    // More than a second is as good as one.
    let rest = min(max(0, frame - progress.read + progress.ahead), Int64(storedFormat.sampleRate))
    return min(Int(rest) * 1_000_000_000 / storedFormat.sampleRate + 50_000_000, most)
  }

  private func wake(in nanoseconds: Int) { timers.setWake(in: nanoseconds) }

  func awake() {
    withLock {
      guard timers.takeWake(), isRunning, hasDevice else { return }
      if isUncorkDue, let stream { uncorkInSilence(stream) }
      switch state.wake(isClockRunning: streamClock.line.isRunning) {
      case nil: break
      case .rest: timers.cancelWake()
      case .awaitClock:
        _ = ask(.clock)
        wake(in: 10_000_000)
      case .awaitEnd(let end): awaitEnd(end)
      case .report: report()
      }
    }
  }

  /// Has a stream run that nothing was written to.
  private func uncorkInSilence(_ stream: PlaybackStream) {
    let channels = storedFormat.channelCount
    uncork(stream, from: stream.nextWrite, upTo: stream.nextWrite) { samples, _, frames in
      samples.update(repeating: 0, count: frames * channels)
    }
  }

  private func awaitEnd(_ end: StreamFrame) {
    let rate = Int64(storedFormat.sampleRate)
    // What a start has left in the server is not to be played. The clock is new then: 50 ms are more than it is off by.
    let silent = stream?.silentCorkFrame.map { StreamFrame($0) } ?? end
    let last = max(
      silent + rate / 20,
      end
        + ServerQuirks.framesBehindEnd(
          sampleRate: storedFormat.sampleRate, largestBlock: rewriteMargin.largestBlock))
    let heard = heardFrame
    // A server whose answers do not come to the end in a second tells nothing of it.
    let isTold = progress.unheard(before: max(end, silent)) == 0 || heard >= last + rate
    let step = reports.beforeEnd(
      isHeard: heard >= last, isTold: isTold, read: progress.read,
      sinceReport: HostTime.now() - progress.lastReport,
      untilHeard: streamClock.isHeld ? nil : waitUntilHeard(last), requestInterval: requestInterval)
    switch step {
    case .stop: stopNow()
    case .wait(let nanoseconds, let asks, let fills):
      if asks { _ = ask(.clock) }
      if fills { _ = ask(.fill) }
      wake(in: nanoseconds)
    }
  }

  private func report() {
    let step = reports.next(
      read: progress.read, mustWatchIndex: rewriteMargin.mustWatchIndex,
      requestInterval: requestInterval)
    switch step {
    case .ask(let wait):
      // A slow server has places left for the questions that a command waits for: it takes 16.
      let unanswered = stream?.unansweredTimingRequests ?? 0
      if unanswered < ServerQuirks.quickReports { _ = ask(.clock) }
      wake(in: wait)
    case .fill(let wait):
      _ = ask(.fill)
      wake(in: wait)
    case .rest: timers.cancelWake()
    }
  }

  private func stopNow() {
    state.stopNow()
    asked.endExpectation()
    timers.cancelReports()
    stream?.cork(true)
    streamClock.freeze()
    events?.outputStopped()
  }
}
