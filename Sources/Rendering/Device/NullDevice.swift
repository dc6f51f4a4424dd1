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

  let format: AudioFormat
  let targetLength: Int64
  // @unchecked: everything mutable is touched only with `lock` held; `state` is published for
  // readers without it.
  private let lock = OwnedSemaphore()
  /// Fires a period apart while it runs: setting it each time would allocate.
  private let timer = DispatchSource.makeTimerSource(
    queue: DispatchQueue(label: "attacca.null-output"))
  private var state = State.stopped
  private var stoppedAt: StreamFrame = 0
  private var stopAfter: StreamFrame?
  private var written: StreamFrame = 0
  private let period: Int64
  private let published = SeqLock(count: 3)
  private weak var events: (any AudioOutputEvents)?

  init(format: AudioFormat, latency: Latency) {
    self.format = format
    targetLength = Int64(latency.targetMilliseconds * format.sampleRate / 1_000)
    period = Int64(latency.requestMilliseconds * format.sampleRate / 1_000)
    timer.setEventHandler { [weak self] in self?.wake() }
    timer.activate()
  }

  func attach(_ events: any AudioOutputEvents) { self.events = events }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try lock.withLock(body)
  }

  var isLockHeld: Bool { lock.isHeld }

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    lock.assertHeld()
    let frame = estimatedRead()
    answer(
      OutputPosition(soonest: frame, replaceable: frame, safe: frame))
  }

  /// Nobody hears that frames come late: those that are there are taken as in time.
  func askWhetherUnderrun() {
    lock.assertHeld()
    // A place before all that is written: the renderer writes what it has.
    events?.outputUnderran(read: 0)
    let read = estimatedRead()
    if read > written { events?.outputUnderran(read: read) }
  }

  func estimatedRead() -> StreamFrame { heardFrame(atHostTime: HostTime.now()) }

  var knownHeard: StreamFrame { estimatedRead() }

  func isInTime(_ frame: StreamFrame) -> Bool { true }

  func heardFrame(atHostTime now: UInt64) -> StreamFrame {
    var words = InlineArray<3, UInt64>(repeating: 0)
    published.read { words[$0] = $1 }
    let frame = StreamFrame(Int64(words[0]))
    guard words[2] == 1, now > words[1] else { return frame }
    return frame + self.frames(inNanoseconds: now - words[1])
  }

  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame? {
    var words = InlineArray<3, UInt64>(repeating: 0)
    published.read { words[$0] = $1 }
    guard words[2] == 1 else { return nil }
    let (frame, start) = (StreamFrame(Int64(words[0])), words[1])
    return hostTime >= start
      ? frame + frames(inNanoseconds: hostTime - start)
      : frame - frames(inNanoseconds: start - hostTime)
  }

  var isClockExact: Bool { true }

  var drift: Double? { 0 }

  private func frames(inNanoseconds time: UInt64) -> Int64 {
    Int64(UInt128(time) * UInt128(format.sampleRate) / 1_000_000_000)
  }

  func hostTime(ofFrame frame: StreamFrame) -> UInt64? {
    var words = InlineArray<3, UInt64>(repeating: 0)
    published.read { words[$0] = $1 }
    guard words[2] == 1 else { return nil }
    let distance =
      Int128(frame - StreamFrame(Int64(words[0]))) * 1_000_000_000 / Int128(format.sampleRate)
    return UInt64(clamping: Int128(words[1]) + distance)
  }

  func write(
    _ range: Range<StreamFrame>, render: (UnsafeMutablePointer<Float>, StreamFrame, Int) -> Void
  ) {
    lock.assertHeld()
    written = range.upperBound
  }

  func start() {
    lock.assertHeld()
    stopAfter = nil
    if case .stopped = state { run(from: stoppedAt) }
    arm()
  }

  func stop(afterFrame frame: StreamFrame) {
    lock.assertHeld()
    stopAfter = frame
    arm()
  }

  func contentChanged() {}

  func close() { timer.cancel() }

  private func run(from frame: StreamFrame) {
    let now = HostTime.now()
    state = .running(frame: frame, hostTime: now)
    publish(frame, now, isRunning: true)
  }

  private func publish(_ frame: StreamFrame, _ hostTime: UInt64, isRunning: Bool) {
    published.write { [UInt64(frame.number), hostTime, isRunning ? 1 : 0][$0] }
  }

  /// Wakes whenever a period is over, or when it is time to stop.
  private func arm() {
    guard case .running = state else { return }
    let wait = min(period, max(0, (stopAfter ?? .max) - estimatedRead()))
    timer.schedule(
      deadline: .now() + nanoseconds(of: wait) + .microseconds(100),
      repeating: nanoseconds(of: period))
  }

  private func nanoseconds(of frames: Int64) -> DispatchTimeInterval {
    .nanoseconds(Int(frames) * 1_000_000_000 / format.sampleRate)
  }

  private func wake() {
    withLock {
      guard case .running = state else { return }
      let now = estimatedRead()
      if let end = stopAfter, now >= end {
        state = .stopped
        stoppedAt = now
        publish(now, 0, isRunning: false)
        stopAfter = nil
        timer.schedule(deadline: .distantFuture)
        events?.outputStopped()
      } else if now > written && stopAfter == nil {
        askWhetherUnderrun()
      } else {
        events?.outputNeedsFrames()
      }
      // It may be due before the next period is over.
      if stopAfter != nil { arm() }
    }
  }
}
