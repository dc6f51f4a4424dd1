// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio
import SampleBuffers
import Synchronization

/// A stream on a PulseAudio server as a renderer's output; another stream when the device is lost,
/// moved or changed.
///
/// Its frames go on counting from one stream to the next of the same format. Its lock is the
/// mainloop's, which it keeps for as long as it lives; its events come on the mainloop's thread, or
/// on the thread that opened a stream.
final class PulseAudioOutput: AudioOutput, @unchecked Sendable {
  /// Why a timing report was asked for.
  enum Question: Int {
    case clock, position, before, splice, fill, underrun, handover, rewind, settled
  }

  /// A stream that goes back.
  struct Rewinding {
    /// The first frame that is to be heard again.
    var frame: StreamFrame
    /// Answers to come until the server has told of all that it has done without.
    var answers: Int
    /// What follows, with the lock held.
    let then: @Sendable () -> Void
  }

  /// What streams are opened with.
  struct Wish {
    let server: String?
    /// nil for the user's default.
    var device: String?
    let latency: Latency
    let applicationName: String
    var mediaName: String
  }

  // @unchecked: everything mutable is touched only with the mainloop's lock held.
  let mainloop: PulseMainloop
  var wish: Wish
  var link: Reconnection
  /// The stream that is played on; nil while there is none.
  var stream: PlaybackStream?
  /// The stream that is to take over once the present one has told where it stopped.
  var successor: (stream: PlaybackStream, reason: RouteChange.Reason)?
  /// The stream that is to take over once all has been heard that only the present one has, or at a host
  /// time in any case.
  var waitingSuccessor: (stream: PlaybackStream, reason: RouteChange.Reason?, limit: UInt64)?
  /// The sink that was played on last.
  var sinkInUse: String?
  var devices = KnownDevices()
  var isLooking = false
  /// Devices changed while they were being looked at.
  var isLookOutdated = false
  weak var events: (any AudioOutputEvents)?

  // MARK: What is known of the stream

  var storedFormat: AudioFormat
  var clock: DeviceClock
  /// The clock has shown this frame before its stream was lost.
  var floor: StreamFrame = 0
  let publishedClock: PublishedClock
  /// Parts per million as the bits of a `Double`, no number where it is not known.
  private let publishedDrift = Atomic<UInt64>(Double.nan.bitPattern)
  /// The newest read index, and the frames that the sink had then rendered ahead.
  var lastRead: StreamFrame = 0
  var ahead: Int64 = 0
  /// The frame that the newest report says to be heard; less where it has to be guessed.
  var knownHeard: StreamFrame = 0
  var reach = RewriteReach(sampleRate: 48_000)
  /// When the newest report was made.
  var lastReport: UInt64 = 0
  /// A position has been asked for ahead of the splice that it is for.
  var isSpliceExpected = false
  var isSuspended = false
  var isCorkWanted = false
  /// What is to be heard again, once the stream has told where it stands; nil where nothing is.
  var rewinding: Rewinding?
  /// The frame that was certainly heard when the server told of having moved the stream, the one that the clock
  /// showed, and the host time of that.
  var move: (heard: StreamFrame, shown: StreamFrame, hostTime: UInt64) = (0, 0, 0)
  var quirks = ServerQuirks()
  /// The server's volume of the stream, which the next stream gets too.
  var storedVolume: Float = 1
  var storedMute = false

  // MARK: Questions

  var answers: [@Sendable (OutputPosition) -> Void] = []
  var isPositionRefused = false
  /// The position is asked for once more, as its answer was slow.
  var isAskingAgain = false
  var isAskingUnderrun = false
  /// The first frame missing, and how often one was since within 100 ms of it.
  var missedFrame = StreamFrame(.min / 2)
  var missesInPlace = 0
  /// It is asked soon whether a gap has been passed.
  var isAskingInDoubt = false
  /// The frames that the server has read without a gap.
  var reading = UnbrokenReading()
  /// The first frame of the rewrites of which it is asked whether they were in time, and the read
  /// index right before the first of them, once it is known.
  var rewrite: (frame: StreamFrame, readBefore: StreamFrame?)?
  /// Nanoseconds that rendering and writing took: nothing is sent before all is written.
  var writeTime: Int64 = 0
  /// What they take as a rule: one write that was kept waiting does not make the next seeks later.
  var usualWriteTime: Int64 = 0

  // MARK: Transport

  var isRunning = false
  /// Host time at which the stream last began to run.
  var uncorked: UInt64?
  var stopAfter: StreamFrame?
  /// The server is to let the stream run, once there is something to hear.
  var isUncorkDue = false
  /// Up to here the server may forget to ask: it counts frames skipped in an underrun as written.
  var asksOnlyFrom: StreamFrame = 0
  /// Reports to ask for while the clock knows nothing yet, the next one after so many nanoseconds.
  var reportsToGo = 0
  /// Reports in quick succession that are still to come, which show when blocks fall.
  var glancesToGo = 0
  var reportWait = 0
  let queue = DispatchQueue(label: "attacca.pulse-output")
  var timer: (any DispatchSourceTimer)?
  /// Asks for reports between requests that are further apart than `reportInterval`.
  var reportTimer: (any DispatchSourceTimer)?
  /// The wait before the next attempt to open a stream.
  var attemptTimer: (any DispatchSourceTimer)?

  /// At least so often a report is asked for in steady play: what is heard twice when the server
  /// dies is what came after the last one.
  ///
  /// Each costs a wakeup: the server's request for more, which is a second from the last where it holds
  /// two, brings one, and a timer the other.
  static let reportInterval: UInt64 = 450_000_000
  /// An answer may be as old on a busy machine, too.
  static let freshness: UInt64 = 1_000_000
  /// Without a report for so long the clock holds: the server has stopped answering.
  static let trust: UInt64 = 1_500_000_000

  /// An answer that took so many nanoseconds is one of a server that was stopped: from what it says of the time
  /// that a write takes, a pause began 1.1 s later than it could, and what lay before that was lost with the server.
  static let slowAnswer: UInt64 = 100_000_000

  /// Opens a stream on a sink of a server; blocks until it is there.
  init(
    server: String?, device: String?, latency: Latency, applicationName: String, mediaName: String
  ) throws(PulseError) {
    mainloop = try PulseMainloop()
    wish = Wish(
      server: server, device: device, latency: latency, applicationName: applicationName,
      mediaName: mediaName)
    link = Reconnection(isConnected: true)
    storedFormat = AudioFormat(sampleRate: 48_000, layout: .stereo)
    clock = DeviceClock(sampleRate: 48_000)
    publishedClock = PublishedClock(.init(line: clock.line, floor: 0, limit: .max))
    let opened = try open(wish, on: nil, fallsBack: false)
    withLock {
      begin(with: opened.stream)
      mainloop.setRest { [weak self] in self?.rest ?? 0 }
    }
    look(through: opened.connection)
  }

  /// How long the server's messages may lie unread, in nanoseconds: a quarter of what it holds,
  /// while it holds more than half of that and nothing is expected of it.
  private var rest: UInt64 {
    guard let stream, hasDevice, isRunning, stopAfter == nil, !isUncorkDue, reportsToGo == 0,
      stream.unansweredTimingRequests == 0, targetLength >= Int64(storedFormat.sampleRate / 4),
      estimatedRead() + targetLength / 2 < stream.nextWrite
    else { return 0 }
    return UInt64(targetLength) / 4 * 1_000_000_000 / UInt64(storedFormat.sampleRate)
  }

  var format: AudioFormat { withLock { storedFormat } }
  var hasDevice: Bool { stream != nil && successor == nil && rewinding == nil }
  var targetLength: Int64 {
    // 0 for a moment where the sink is being moved.
    let granted = withLock { stream?.targetLength ?? 0 }
    return granted > 0 ? Int64(granted) : wishedLength
  }
  /// A quarter of a second; three where another stream may have the sink take half a second at once
  /// before that can be taken back.
  var startLength: Int64 {
    let quarter = Int64(storedFormat.sampleRate / 4)
    return stream?.isDeep == true ? 3 * quarter : quarter
  }
  /// What the server is asked to hold, where it has not said what it will.
  private var wishedLength: Int64 {
    Int64(wish.latency.targetMilliseconds * storedFormat.sampleRate / 1_000)
  }

  /// The sink that it plays on; nil while there is none.
  var sinkName: String? { withLock { stream?.sinkName } }
  /// The server's volume of this stream, 1 for unchanged.
  var outputVolume: Float { withLock { storedVolume } }
  /// Whether the server mutes this stream.
  var isOutputMuted: Bool { withLock { storedMute } }

  func attach(_ events: any AudioOutputEvents) { self.events = events }

  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try mainloop.withLock(body)
  }

  func close() {
    let streams = withLock { () -> [PlaybackStream] in
      link.close()
      timer?.cancel()
      attemptTimer?.cancel()
      reportTimer?.cancel()
      (timer, attemptTimer, reportTimer) = (nil, nil, nil)
      defer { (stream, successor, waitingSuccessor) = (nil, nil, nil) }
      return [stream, successor?.stream, waitingSuccessor?.stream].compactMap { $0 }
    }
    for stream in streams { stream.close() }
  }

  /// What the stream's mixer entry is called.
  func setName(_ name: String) {
    withLock {
      wish.mediaName = name
      stream?.setName(name)
    }
  }

  // MARK: The clock

  func publishClock() {
    publishedDrift.store(
      (clock.isDriftKnown ? clock.partsPerMillion : .nan).bitPattern, ordering: .relaxed)
    let limit = isRunning && clock.line.isRunning ? lastReport + trust : .max
    publishedClock.publish(.init(line: clock.line, floor: floor, limit: limit))
  }

  /// Nanoseconds without a report after which the clock holds.
  private var trust: UInt64 { max(Self.trust, UInt64(3 * requestInterval)) }

  /// The clock stands where it is shown to be now.
  func freezeClock() {
    let shown = publishedClock.read()
    let now = HostTime.now()
    floor = max(floor, shown.heardFrame(atHostTime: now))
    clock.freeze(atHostTime: min(now, shown.limit))
    publishClock()
  }

  func heardFrame(atHostTime hostTime: UInt64) -> StreamFrame {
    publishedClock.read().heardFrame(atHostTime: hostTime)
  }

  func expectedFrame(atHostTime hostTime: UInt64) -> StreamFrame? {
    let reading = publishedClock.read()
    // What it says of a later time holds, should the server go on to answer.
    guard reading.line.isRunning, HostTime.now() < reading.limit else { return nil }
    return reading.line.heard(atHostTime: hostTime)
  }

  var isClockExact: Bool { false }

  var drift: Double? {
    let drift = Double(bitPattern: publishedDrift.load(ordering: .relaxed))
    return drift.isNaN ? nil : drift
  }

  func hostTime(ofFrame frame: StreamFrame) -> UInt64? {
    publishedClock.read().hostTime(ofFrame: frame, now: HostTime.now())
  }
}
