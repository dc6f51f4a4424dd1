// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers

/// An output without a device: the host's clock moves it, and nothing is heard.
final class NullDevice: AudioOutput, @unchecked Sendable {
  private enum State {
    case stopped
    /// Frame `frame` was due at host time `hostTime`.
    case running(frame: StreamFrame, hostTime: UInt64)
  }

  let traits: OutputTraits
  // @unchecked: everything mutable is touched only with the lock held; `state` is published by the clock.
  private let semaphore = OwnedSemaphore()
  private let running: NullClock
  /// Fires a period apart while it runs: setting it each time would allocate.
  private let timer = DispatchSource.makeTimerSource(
    queue: DispatchQueue(label: "attacca.null-output"))
  private var state = State.stopped
  private var stoppedAt: StreamFrame = 0
  private var stopAfter: StreamFrame?
  private var written: StreamFrame = 0
  private let period: Int64
  private weak var events: (any AudioOutputEvents)?

  init(format: AudioFormat, latency: Latency) {
    let rate = format.sampleRate
    traits = OutputTraits(
      format: format, targetLength: Int64(latency.targetMilliseconds * rate / 1_000))
    period = Int64(latency.requestMilliseconds * rate / 1_000)
    running = NullClock(rate: rate)
    timer.setEventHandler { [weak self] in self?.wake() }
    timer.activate()
  }

  func attach(_ events: any AudioOutputEvents) { self.events = events }

  var lock: any OutputLock { semaphore }
  var clock: any OutputClock { running }

  /// The frame that is heard now, which is the one that would be read.
  var position: StreamFrame { running.heardFrame(atHostTime: HostTime.now()) }

  var reading: OutputReading {
    let frame = position
    return OutputReading(read: frame, heard: frame, rewriteDistance: 0)
  }

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    semaphore.assertHeld()
    let frame = position
    answer(OutputPosition(soonest: frame, replaceable: frame, safe: frame))
  }

  /// Nobody hears that frames come late: those that are there are taken as in time.
  func askWhetherUnderrun() {
    semaphore.assertHeld()
    // A place before all that is written: the renderer writes what it has.
    events?.outputUnderran(read: 0)
    let read = position
    if read > written { events?.outputUnderran(read: read) }
  }

  func isInTime(_ frame: StreamFrame) -> Bool { true }

  func write(
    _ range: Range<StreamFrame>, of kind: OutputFrames,
    render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    semaphore.assertHeld()
    written = range.upperBound
    if endsWithinPeriod { arm() }
  }

  func setTransport(_ transport: OutputTransport) {
    semaphore.assertHeld()
    switch transport {
    case .running:
      stopAfter = nil
      if case .stopped = state { run(from: stoppedAt) }
    case .stopping(let frame): stopAfter = frame
    }
    arm()
  }

  func close() { timer.cancel() }

  private func run(from frame: StreamFrame) {
    let now = HostTime.now()
    state = .running(frame: frame, hostTime: now)
    running.publish(frame, now, isRunning: true)
  }

  /// True where what has been written is over before the next period is.
  private var endsWithinPeriod: Bool {
    let now = position
    return written > now && written - now < period
  }

  /// Wakes whenever a period is over, when it is time to stop, or when there is no more: the clock would go on over
  /// nothing, by up to a period.
  private func arm() {
    guard case .running = state else { return }
    let now = position
    let end = min(stopAfter ?? .max, written > now ? written + 1 : .max)
    let wait = min(period, max(0, end - now))
    timer.schedule(
      deadline: .now() + nanoseconds(of: wait) + .microseconds(100),
      repeating: nanoseconds(of: period))
  }

  private func nanoseconds(of frames: Int64) -> DispatchTimeInterval {
    .nanoseconds(Int(frames) * 1_000_000_000 / traits.format.sampleRate)
  }

  private func wake() {
    withLock {
      guard case .running = state else { return }
      let now = position
      if let end = stopAfter, now >= end {
        state = .stopped
        stoppedAt = now
        running.publish(now, 0, isRunning: false)
        stopAfter = nil
        timer.schedule(deadline: .distantFuture)
        events?.outputStopped()
      } else if now > written && stopAfter == nil {
        askWhetherUnderrun()
      } else {
        events?.outputNeedsFrames()
      }
      // It may be due before the next period is over.
      if stopAfter != nil || endsWithinPeriod { arm() }
    }
  }
}
