// SPDX-License-Identifier: Apache-2.0

import Dispatch
import PulseAudio
import SampleBuffers

/// A stream on a PulseAudio server as a renderer's output.
///
/// Its lock is the mainloop's, its events come on the mainloop's thread.
final class PulseAudioOutput: AudioOutput, @unchecked Sendable {
  /// Why a timing report was asked for.
  private enum Question: Int {
    case clock, position, splice, underrun
  }

  // @unchecked: everything mutable is touched only with the mainloop's lock held.
  private let connection: PulseConnection
  private var stream: PlaybackStream!
  private var clock: DeviceClock
  private let publishedLine = SeqLock(count: 6)
  private weak var events: (any AudioOutputEvents)?
  private var answers: [@Sendable (OutputPosition) -> Void] = []
  private let queue = DispatchQueue(label: "attacca.pulse-output")
  private var timer: (any DispatchSourceTimer)?
  private var isRunning = false
  private var stopAfter: Int64?
  /// The newest read index, and the frames that the sink had then rendered ahead.
  private var lastRead: Int64 = 0
  private var ahead: Int64 = 0
  /// The largest block by which the read index was seen to advance: the most that the sink ever
  /// had rendered ahead.
  private var largestBlock: Int64 = 0
  private var rewriteFrame: Int64?
  private var isPositionRefused = false
  private var isAskingUnderrun = false
  private var failure: PulseError?
  private var reportsToGo = 0
  /// When the newest report was made.
  private var lastReport: UInt64 = 0
  /// In steady play so long between reports: at 100 ppm the clock is then 0.1 ms off, and each
  /// report costs two wakeups.
  private static let reportInterval: UInt64 = 900_000_000

  /// Opens a stream on a sink of a server; blocks until it is there.
  init(
    server: String?, device: String?, latency: Latency, applicationName: String, mediaName: String
  ) throws(PulseError) {
    connection = try PulseConnection(server: server, applicationName: applicationName)
    clock = DeviceClock(sampleRate: 48_000)
    stream = try PlaybackStream(
      connection: connection, sink: device,
      latency: .init(
        target: .milliseconds(latency.targetMilliseconds),
        minimumRequest: .milliseconds(latency.requestMilliseconds)),
      mediaName: mediaName, events: self)
    clock = DeviceClock(sampleRate: stream.format.sampleRate)
    publish()
  }

  var format: AudioFormat { stream.format }
  var targetLength: Int64 { Int64(stream.targetLength) }
  /// The sink that it plays on; nil once it has failed.
  var sinkName: String? { stream.sinkName }
  /// The server's volume of this stream, 1 for unchanged.
  var outputVolume: Float { stream.outputVolume }
  /// Whether the server mutes this stream.
  var isOutputMuted: Bool { stream.isOutputMuted }

  func attach(_ events: any AudioOutputEvents) {
    self.events = events
    // It may have failed before anyone listened.
    if let failure { events.outputFailed(failure) }
  }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try connection.withLock(body)
  }

  func close() {
    withLock {
      timer?.cancel()
      timer = nil
    }
    stream.close()
  }

  /// What the stream's mixer entry is called.
  func setName(_ name: String) { withLock { stream.setName(name) } }

  // MARK: Position

  func askPosition(_ answer: @escaping @Sendable (OutputPosition) -> Void) {
    answers.append(answer)
    guard answers.count == 1 else { return }
    askPosition()
  }

  private func askPosition() {
    // Refused where 16 questions are open: it is asked again when one of them is answered.
    isPositionRefused = !stream.requestTiming(Question.position.rawValue)
  }

  func askWhetherUnderrun() {
    guard !isAskingUnderrun else { return }
    isAskingUnderrun = stream.requestTiming(Question.underrun.rawValue)
  }

  private var line: ClockLine {
    var words = InlineArray<6, UInt64>(repeating: 0)
    publishedLine.read { words[$0] = $1 }
    // A plain value of six words, of the same size and without references.
    return unsafeBitCast(words, to: ClockLine.self)
  }

  private func publish() {
    let words = unsafeBitCast(clock.line, to: InlineArray<6, UInt64>.self)
    publishedLine.write { words[$0] }
  }

  func heardFrame(atHostTime hostTime: UInt64) -> Int64 { line.heardFrame(atHostTime: hostTime) }

  func hostTime(ofFrame frame: Int64) -> UInt64? { line.hostTime(ofFrame: frame) }

  func estimatedRead() -> Int64 {
    guard isRunning, clock.line.isRunning else { return lastRead }
    return max(lastRead, clock.line.heardFrame(atHostTime: HostTime.now()) + ahead)
  }

  /// The first frame that a write now is sure to replace.
  private func replaceable(_ report: TimingReport) -> Int64 {
    guard isRunning else { return report.readFrame }
    // The read index stands still for as long as the sink still has frames of its last block. A
    // millisecond is for the write to get there.
    let isFarFromNextBlock = report.sinkLatency > Int64(report.roundTrip) + 1_000_000
    return isFarFromNextBlock ? report.readFrame : report.readFrame + largestBlock
  }

  // MARK: Transport

  func write(_ range: Range<Int64>, render: (UnsafeMutablePointer<Float>, Int64, Int) -> Void) {
    let isRewrite = range.lowerBound < stream.nextWriteFrame
    do throws(PulseError) {
      try stream.write(at: max(0, range.lowerBound), frames: range.count) { target, frame, count in
        render(target, frame, count)
      }
    } catch {
      // The stream has failed: `failed` tells the renderer, with the server's reason.
      return
    }
    guard isRunning else { return }
    if isRewrite {
      rewriteFrame = min(rewriteFrame ?? .max, range.lowerBound)
      stream.requestTiming(Question.splice.rawValue)
    } else if HostTime.now() - lastReport >= Self.reportInterval {
      stream.requestTiming(Question.clock.rawValue)
    }
  }

  func start() {
    stopAfter = nil
    timer?.cancel()
    timer = nil
    guard !isRunning else { return }
    isRunning = true
    stream.cork(false)
    // The clock knows nothing yet: a few reports early on.
    reportsToGo = 4
    wake(in: 50_000_000)
  }

  func stop(afterFrame frame: Int64) {
    guard isRunning else { return }
    stopAfter = frame
    wake(in: waitUntilHeard(frame))
  }

  func contentChanged() {}

  /// Nanoseconds until `frame` has been heard.
  private func waitUntilHeard(_ frame: Int64) -> Int {
    let now = HostTime.now()
    if let time = clock.line.hostTime(ofFrame: frame) {
      return time > now ? Int(time - now) : 0
    }
    let rest = max(0, frame - lastRead + ahead)
    return Int(rest) * 1_000_000_000 / format.sampleRate + 50_000_000
  }

  private func wake(in nanoseconds: Int) {
    timer?.cancel()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { [weak self] in self?.awake() }
    timer.schedule(deadline: .now() + .nanoseconds(nanoseconds + 1_000_000))
    timer.resume()
    self.timer = timer
  }

  private func awake() {
    withLock {
      guard isRunning else { return }
      if let end = stopAfter {
        let isHeard = heardFrame(atHostTime: HostTime.now()) >= end
        guard isHeard || !clock.line.isRunning else { return wake(in: waitUntilHeard(end)) }
        stopNow()
      } else if reportsToGo > 0 {
        reportsToGo -= 1
        stream.requestTiming(Question.clock.rawValue)
        wake(in: 50_000_000)
      }
    }
  }

  private func stopNow() {
    isRunning = false
    stopAfter = nil
    stream.cork(true)
    clock.freeze(atHostTime: HostTime.now())
    publish()
    events?.outputStopped()
  }
}

// On the mainloop's thread, with its lock held.
extension PulseAudioOutput: PlaybackStreamEvents {
  func framesRequested(_ frames: Int, by stream: PlaybackStream) {
    events?.outputNeedsFrames()
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
      largestBlock = max(largestBlock, ahead)
      if clock.update(report, now: HostTime.now()) {
        let wasStopped = !line.isRunning
        publish()
        if wasStopped { events?.outputClockChanged() }
      }
    }
    switch question {
    case .position: answerAll(report)
    case .splice: checkSplice(report)
    case .underrun: events?.outputUnderran(read: report.readFrame)
    case .clock, nil: break
    }
  }

  private func answerAll(_ report: TimingReport) {
    let position = OutputPosition(
      read: report.readFrame, replaceable: replaceable(report),
      heard: heardFrame(atHostTime: HostTime.now()))
    let due = answers
    answers.removeAll(keepingCapacity: true)
    for answer in due { answer(position) }
  }

  private func checkSplice(_ report: TimingReport) {
    guard let frame = rewriteFrame else { return }
    rewriteFrame = nil
    // Seen right after the rewrite: what the sink has taken by now it may have taken before.
    guard report.readFrame > frame, isRunning else { return }
    let late = report.readFrame - frame
    largestBlock = max(largestBlock, late)
    events?.outputSpliceWasLate(by: late)
  }

  func underflowed(at frame: Int64, on stream: PlaybackStream) {
    guard isRunning else { return }
    askWhetherUnderrun()
  }

  func moved(_ stream: PlaybackStream) {
    largestBlock = 0
    events?.outputClockChanged()
  }

  func suspended(_ isSuspended: Bool, on stream: PlaybackStream) {
    if isSuspended {
      clock.freeze(atHostTime: HostTime.now())
      publish()
    } else {
      reportsToGo = 4
      wake(in: 50_000_000)
    }
  }

  func bufferAttributesChanged(on stream: PlaybackStream) { events?.outputNeedsFrames() }

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
