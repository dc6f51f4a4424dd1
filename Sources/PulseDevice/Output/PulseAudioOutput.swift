// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import PulseAudio
import Rendering
import SampleBuffers

/// A stream on a PulseAudio server as a renderer's output; another stream when the device is lost,
/// moved or changed.
///
/// Its frames go on counting from one stream to the next of the same format. Its lock is the
/// mainloop's, which it keeps for as long as it lives; its events come on the mainloop's thread, or
/// on the thread that opened a stream.
final class PulseAudioOutput: AudioOutput, @unchecked Sendable {
  // @unchecked: everything mutable is touched only with the mainloop's lock held.
  let mainloop: PulseMainloop
  var request: StreamRequest
  /// The stream's state, and when one is to be opened.
  var state = PulseDeviceState(link: Reconnection(isConnected: true))
  /// The stream that is played on; nil while there is none.
  var stream: PlaybackStream?
  /// The stream that is to take over.
  var next: SucceedingStream?
  weak var events: (any AudioOutputEvents)?
  var devices = ServerDevices()

  // MARK: What is known of the stream

  var storedFormat = AudioFormat(sampleRate: 48_000, layout: .stereo)
  let streamClock = StreamClock(sampleRate: 48_000)
  var progress = StreamProgress()
  var rewriteMargin = RewriteMargin(sampleRate: 48_000)

  // MARK: What is asked

  var asked = AskedReports()
  var answerTimes = AnswerTimes()
  var rewrites = RewriteCheck()
  var reports = ReportSchedule()
  var timers = OutputTimers()

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
  /// Without an answer for so many nanoseconds a server is taken for stopped whose streams stand still then.
  ///
  /// Longer than `slowAnswer`: an answer waits on a busy machine, too, while the stream plays on, and a clock that held
  /// for that jumps forward.
  static let patience: UInt64 = 250_000_000
  /// An answer that took so many nanoseconds is one of a server that was stopped: from what it says of the time
  /// that a write takes, a pause began 1.1 s later than it could, and what lay before that was lost with the server.
  static let slowAnswer: UInt64 = 100_000_000

  /// Opens a stream on a sink of a server; blocks until it is there.
  init(
    server: String?, device: String?, latency: Latency, applicationName: String, mediaName: String
  ) throws(PulseError) {
    mainloop = try PulseMainloop()
    request = StreamRequest(
      server: server, device: device, latency: latency, applicationName: applicationName,
      mediaName: mediaName)
    let opened = try open(request, on: nil, fallsBack: false)
    withLock {
      timers.prepareWakes { [weak self] in self?.awake() }
      begin(with: opened.stream)
      mainloop.setRest { [weak self] in self?.rest ?? 0 }
    }
    look(through: opened.connection)
  }

  /// Nanoseconds for which the server's messages may lie unread: a quarter of what it holds,
  /// while it holds more than half of that and nothing is expected of it.
  private var rest: UInt64 {
    guard let stream, hasDevice, state.isUncorked, state.lastFrame == nil, !reports.isLearning,
      stream.unansweredTimingRequests == 0, targetLength >= Int64(storedFormat.sampleRate / 4),
      estimatedRead() + targetLength / 2 < stream.nextWrite
    else { return 0 }
    return UInt64(targetLength) / 4 * 1_000_000_000 / UInt64(storedFormat.sampleRate)
  }

  var hasDevice: Bool { state.hasDevice }
  var isRunning: Bool { state.isRunning }
  var isUncorkDue: Bool { state.isUncorkDue }
  var isSuspended: Bool { state.isSuspended }
  var knownHeard: StreamFrame { progress.heard }
  var quirks: ServerQuirks { devices.quirks }
  var lock: any OutputLock { mainloop }
  var clock: any OutputClock { streamClock }
  var traits: OutputTraits {
    withLock {
      OutputTraits(format: storedFormat, targetLength: targetLength, startLength: startLength)
    }
  }
  var reading: OutputReading {
    OutputReading(
      hasDevice: hasDevice, read: estimatedRead(), heard: knownHeard,
      rewriteDistance: rewriteDistance)
  }

  /// Frames that the server holds ahead of what it has read; with the lock held.
  var targetLength: Int64 {
    // 0 for a moment where the sink is being moved.
    let granted = stream?.targetLength ?? 0
    return granted > 0 ? Int64(granted) : wishedLength
  }
  /// A quarter of a second; three where another stream may have the sink take half a second at once
  /// before that can be taken back.
  var startLength: Int64 {
    let quarter = Int64(storedFormat.sampleRate / 4)
    return stream?.isDeep == true ? 3 * quarter : quarter
  }
  /// Frames that the server is asked to hold, where it has not said what it will.
  private var wishedLength: Int64 {
    Int64(request.latency.targetMilliseconds * storedFormat.sampleRate / 1_000)
  }

  /// The sink that it plays on; nil while there is none.
  var sinkName: String? { withLock { stream?.sinkName } }
  /// The server's volume of this stream, 1 for unchanged.
  var outputVolume: Float { withLock { request.volume } }
  /// True where the server mutes this stream.
  var isOutputMuted: Bool { withLock { request.isMuted } }

  func attach(_ events: any AudioOutputEvents) { self.events = events }

  /// Stops debug builds where the caller does not hold the mainloop's lock.
  func assertLocked(_ call: StaticString = #function) {
    assert(mainloop.isLockHeld, "\(call) needs the mainloop's lock: use `withLock`")
  }

  func close() {
    let streams = withLock { () -> [PlaybackStream] in
      state.closed()
      timers.cancelAll()
      defer { (stream, next) = (nil, nil) }
      return [stream, next?.stream].compactMap { $0 }
    }
    for stream in streams { stream.close() }
  }

  /// Sets the name of the stream's mixer entry.
  func setName(_ name: String) {
    withLock {
      request.mediaName = name
      stream?.setName(name)
    }
  }

  // MARK: The clock

  func publishClock() {
    assertLocked()
    streamClock.publish(trustedUntil: isRunning && streamClock.line.isRunning ? trustedUntil : .max)
  }

  /// The host time, in nanoseconds, from which on the clock holds where no report comes.
  private var trustedUntil: UInt64 {
    let silent = progress.lastReport + max(Self.trust, UInt64(3 * requestInterval))
    guard quirks.holdsWhileStopped, let asked = stream?.oldestTimingRequest else { return silent }
    return min(silent, asked + max(Self.patience, answerTimes.usual))
  }
}
