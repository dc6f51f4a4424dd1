// SPDX-License-Identifier: Apache-2.0

import Dispatch
import PulseAudio
import SampleBuffers
import Synchronization

/// A stream on a PulseAudio server as a renderer's output.
///
/// Its lock is the mainloop's, its events come on the mainloop's thread.
final class PulseAudioOutput: AudioOutput, @unchecked Sendable {
  /// Why a timing report was asked for.
  enum Question: Int {
    case clock, position, splice, fill, underrun
  }

  // @unchecked: everything mutable is touched only with the mainloop's lock held.
  private let connection: PulseConnection
  var stream: PlaybackStream!
  var clock: DeviceClock
  private let publishedLine = SeqLock(count: 6)
  /// Parts per million as the bits of a `Double`, no number where it is not known.
  private let publishedDrift = Atomic<UInt64>(Double.nan.bitPattern)
  weak var events: (any AudioOutputEvents)?
  var answers: [@Sendable (OutputPosition) -> Void] = []
  private let queue = DispatchQueue(label: "attacca.pulse-output")
  private var timer: (any DispatchSourceTimer)?
  var isRunning = false
  private var stopAfter: Int64?
  /// The newest read index, and the frames that the sink had then rendered ahead.
  var lastRead: Int64 = 0
  var ahead: Int64 = 0
  var reach: RewriteReach
  /// Nanoseconds that rendering and writing took: nothing is sent before all is written.
  var writeTime: Int64 = 0
  var rewriteFrame: Int64?
  var isPositionRefused = false
  var isAskingUnderrun = false
  var failure: PulseError?
  /// The server is to let the stream run, once there is something to hear.
  private var isUncorkDue = false
  /// Up to here the server may forget to ask: it counts frames skipped in an underrun as written.
  private var asksOnlyFrom: Int64 = 0
  /// Reports to ask for while the clock knows nothing yet, the next one after so many nanoseconds.
  private var reportsToGo = 0
  /// Reports in quick succession that are still to come, which show when blocks fall.
  private var glancesToGo = 0
  private var reportWait = 0
  /// When the newest report was made.
  var lastReport: UInt64 = 0
  /// In steady play so long between reports: at 100 ppm the clock is then 0.1 ms off, and each
  /// report costs two wakeups.
  private static let reportInterval: UInt64 = 900_000_000
  /// 2.1 ms with what `wake` adds.
  private static let glanceWait = 1_100_000

  /// Opens a stream on a sink of a server; blocks until it is there.
  init(
    server: String?, device: String?, latency: Latency, applicationName: String, mediaName: String
  ) throws(PulseError) {
    connection = try PulseConnection(server: server, applicationName: applicationName)
    clock = DeviceClock(sampleRate: 48_000)
    reach = RewriteReach(sampleRate: 48_000)
    stream = try PlaybackStream(
      connection: connection, sink: device,
      latency: .init(
        target: .milliseconds(latency.targetMilliseconds),
        minimumRequest: .milliseconds(latency.requestMilliseconds)),
      mediaName: mediaName, events: self)
    clock = DeviceClock(sampleRate: stream.format.sampleRate)
    reach = RewriteReach(sampleRate: stream.format.sampleRate)
    publish()
    withLock { connection.setRest { [weak self] in self?.rest ?? 0 } }
  }

  /// How long the server's messages may lie unread, in nanoseconds: a quarter of what it holds,
  /// while it holds more than half of that and nothing is expected of it.
  private var rest: UInt64 {
    guard isRunning, stopAfter == nil, !isUncorkDue, reportsToGo == 0, !stream.isTimingRequested,
      targetLength >= Int64(format.sampleRate / 4),
      estimatedRead() + targetLength / 2 < stream.nextWriteFrame
    else { return 0 }
    return UInt64(targetLength) / 4 * 1_000_000_000 / UInt64(format.sampleRate)
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

  func askPosition() {
    // Refused where 16 questions are open: it is asked again when one of them is answered.
    isPositionRefused = !stream.requestTiming(Question.position.rawValue)
  }

  func askWhetherUnderrun() {
    guard !isAskingUnderrun else { return }
    isAskingUnderrun = stream.requestTiming(Question.underrun.rawValue)
  }

  var line: ClockLine {
    var words = InlineArray<6, UInt64>(repeating: 0)
    publishedLine.read { words[$0] = $1 }
    // A plain value of six words, of the same size and without references.
    return unsafeBitCast(words, to: ClockLine.self)
  }

  func publish() {
    publishedDrift.store(
      (clock.isDriftKnown ? clock.partsPerMillion : .nan).bitPattern, ordering: .relaxed)
    let words = unsafeBitCast(clock.line, to: InlineArray<6, UInt64>.self)
    publishedLine.write { words[$0] }
  }

  func heardFrame(atHostTime hostTime: UInt64) -> Int64 { line.heardFrame(atHostTime: hostTime) }

  func expectedFrame(atHostTime hostTime: UInt64) -> Int64? {
    let line = line
    return line.isRunning ? line.heardFrame(atHostTime: hostTime) : nil
  }

  var isClockExact: Bool { false }

  var drift: Double? {
    let drift = Double(bitPattern: publishedDrift.load(ordering: .relaxed))
    return drift.isNaN ? nil : drift
  }

  func hostTime(ofFrame frame: Int64) -> UInt64? { line.hostTime(ofFrame: frame) }

  func estimatedRead() -> Int64 {
    guard isRunning, clock.line.isRunning else { return lastRead }
    return max(lastRead, clock.line.heardFrame(atHostTime: HostTime.now()) + ahead)
  }

  var knownRead: Int64 { lastRead }

  /// The first frame that a write now is sure to replace.
  func replaceable(_ report: TimingReport) -> Int64 {
    guard isRunning else { return report.readFrame }
    return reach.replaceable(report, now: HostTime.now(), writeTime: writeTime)
  }

  func isInTime(_ frame: Int64) -> Bool {
    // Two blocks are what the read index may be ahead of its estimate.
    guard isRunning, estimatedRead() + 2 * reach.largestBlock + targetLength / 8 > frame else {
      return true
    }
    return !stream.requestTiming(Question.fill.rawValue)
  }

  // MARK: Transport

  func write(_ range: Range<Int64>, render: (UnsafeMutablePointer<Float>, Int64, Int) -> Void) {
    let next = stream.nextWriteFrame
    if isRunning && range.lowerBound > next {
      asksOnlyFrom = range.lowerBound + (range.lowerBound - next) + targetLength
      if timer == nil { wake(in: requestInterval) }
    }
    let began = HostTime.now()
    do throws(PulseError) {
      try stream.write(at: max(0, range.lowerBound), frames: range.count) { target, frame, count in
        render(target, frame, count)
      }
    } catch {
      // The stream has failed: `failed` tells the renderer, with the server's reason.
      return
    }
    writeTime = max(Int64(HostTime.now() - began), writeTime * 7 / 8)
    guard isRunning else { return }
    if isUncorkDue {
      // Not before: the sink would take silence instead of the first frames.
      isUncorkDue = false
      stream.cork(false)
    } else if range.lowerBound < next {
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
    isUncorkDue = true
    learnClock()
  }

  private var requestInterval: Int {
    max(1, stream.minimumRequest) * 1_000_000_000 / format.sampleRate
  }

  /// The clock knows nothing yet: a few reports early on, 310 ms in all.
  ///
  /// Where only the read index shows the sink's blocks, on PipeWire, eight before them: until it is
  /// known when a block falls, a rewrite begins up to a block later than it could. In quanta of 2.7
  /// and 5.3 ms each of the eight falls at another place.
  func learnClock() {
    (reportsToGo, reportWait, glancesToGo) = (5, 10_000_000, 8)
    wake(in: Self.glanceWait)
  }

  func stop(afterFrame frame: Int64) {
    guard isRunning else { return }
    // PipeWire's blocks are up to 43 ms and its clock as coarse: corked right at the end it lost
    // 57 frames. There is silence behind it.
    stopAfter = frame + reach.largestBlock + Int64(format.sampleRate / 20)
    stream.requestTiming(Question.clock.rawValue)
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
      if isUncorkDue {
        // There was nothing to write.
        isUncorkDue = false
        stream.cork(false)
      }
      if let end = stopAfter {
        guard clock.line.isRunning else {
          // Nothing has been heard of the stream yet.
          stream.requestTiming(Question.clock.rawValue)
          return wake(in: 10_000_000)
        }
        let isHeard = heardFrame(atHostTime: HostTime.now()) >= end
        guard isHeard else { return wake(in: waitUntilHeard(end)) }
        stopNow()
      } else if glancesToGo > 0, reach.mustWatchIndex {
        glancesToGo -= 1
        stream.requestTiming(Question.clock.rawValue)
        wake(in: Self.glanceWait)
      } else if reportsToGo > 0 {
        reportsToGo -= 1
        reportWait *= 2
        stream.requestTiming(Question.fill.rawValue)
        wake(in: reportWait)
      } else if lastRead < asksOnlyFrom {
        stream.requestTiming(Question.fill.rawValue)
        wake(in: requestInterval)
      } else {
        timer = nil
      }
    }
  }

  private func stopNow() {
    isRunning = false
    stopAfter = nil
    isUncorkDue = false
    stream.cork(true)
    clock.freeze(atHostTime: HostTime.now())
    publish()
    events?.outputStopped()
  }
}
