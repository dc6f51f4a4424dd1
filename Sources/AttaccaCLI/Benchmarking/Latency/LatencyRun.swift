// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import Listening
import PulseAudio

/// A player on a server's sink that is given commands at random times, and a listener that tells
/// afterwards when they were heard.
///
/// Commands do not wait for what is recorded, which arrives seconds later.
struct LatencyRun {
  /// A command that was given.
  private struct Given {
    let operation: LatencyOperation
    var command: LatencyReading.Command
    /// The moment at which it was called.
    let moment: HeardMoment
    /// The host time that it asks for; nil for at once.
    let start: Int?
  }

  private let server: HeadlessServer
  private let sink: String
  private let listener: SinkListener
  private let sounds: NumberedSounds
  private let fade: Fade
  private let latency: Latency
  private var subject: LatencySubject?
  private var given: [Given] = []
  /// The number of the sound's frame that a pause replaced last.
  private var pausedAt = 0
  private var isPaused = false
  private(set) var underrunCount = 0
  private(set) var lateCount = 0
  /// Samples by operation, in the order in which they were taken.
  private(set) var samples: [LatencyOperation: [LatencySample]] = [:]

  /// First frames of a start that the sink's monitor may not hear: of a sink that rewinds the first piece of memory of
  /// a block, 64 KB, and of the stream's own 5 ms (docs/design/0013-latency.md).
  private let hidden: Int
  /// Frames of a block, which may not be heard of what does not begin in silence.
  ///
  /// A sink that rewinds gives back what it has taken of a block and not played, and its monitor keeps that: the first
  /// 31 frames of a seek that was there in time.
  private let hiddenBlock: Int
  /// Rewrites of the present player that were told as late before the last command.
  private var toldLate = 0
  /// Frames by which a command may be heard before the moment at which it was given: a cycle at either end.
  private let leeway: Int

  /// Nothing plays before the first operation.
  init(
    server: HeadlessServer, sink: String, kind: LatencyBench.Sink, listener: SinkListener,
    sounds: NumberedSounds, fade: Fade, latency: Latency
  ) {
    (self.server, self.sink, self.listener, self.sounds) = (server, sink, listener, sounds)
    (self.fade, self.latency) = (fade, latency)
    let format = HeadlessServer.format
    let rewinds = kind == .rewinding
    leeway = kind == .pipeWire ? 2 * latency.blockMilliseconds * format.sampleRate / 1_000 : 0
    hidden = rewinds ? 65_536 / format.bytesPerFrame + format.sampleRate / 200 : 0
    hiddenBlock = rewinds ? latency.blockMilliseconds * format.sampleRate / 1_000 : 0
    // What a sink that rewinds had rendered when the recorder came is not heard: 2 s at most.
    sleep(3)
  }

  /// Gives `operations` one after the other, and what has to be before them.
  ///
  /// - Throws: where the server is gone.
  mutating func perform(_ operations: [LatencyOperation]) throws {
    let startsAnew = operations.contains(.start) || subject == nil
    if startsAnew {
      try end()
      try give(.start)
    }
    // Far from the item's end: it must not run out before the round does.
    try give(.seek)
    for operation in operations where operation != .start && operation != .seek {
      if operation.needsPause && !isPaused { try give(.pause) }
      if operation == .pause && isPaused { try give(.resume) }
      try give(operation)
    }
    if isPaused { try give(.resume) }
    // Not while the last one is carried out: what reads takes a core, and a resume came 2 ms later.
    usleep(UInt32((given.last?.operation.listening ?? 0) * 1_000))
    try read(all: false)
  }

  /// Ends what plays, and reads all that was heard.
  ///
  /// - Throws: where the server is gone.
  mutating func end() throws {
    noteLate()
    try read(all: true)
    guard subject != nil else { return }
    underrunCount += subject?.underrunCount ?? 0
    lateCount += toldLate
    toldLate = 0
    // Nothing else may hold it: with a variable of its own it played on through the pause, and up to the next start.
    subject = nil
    usleep(1_000_000)
  }

  /// Takes note of rewrites that were told as late since the last command: what their first frames were to replace the
  /// sink has played, and the monitor heard it rightly.
  private mutating func noteLate() {
    guard let late = subject?.lateCount, late > toldLate else { return }
    toldLate = late
    guard let last = given.indices.last, !given[last].operation.beginsInSilence else { return }
    given[last].command.hidden = 0
  }

  private mutating func give(_ operation: LatencyOperation) throws {
    let wait = UInt32((given.last?.operation.listening ?? 0) * 1_000)
    // The sink's blocks do not wait for commands, and the longest are half a second.
    usleep(wait + .random(in: 0...500_000))
    noteLate()
    let subject = subject ?? LatencySubject(sounds: sounds)
    self.subject = subject
    let oldGain = subject.gain
    let action = try subject.prepare(
      operation, device: sink, server: server.address, fade: fade, latency: latency)
    let moment = try listener.moment()
    let start = action.start.map { Int($0) }
    let called = HeardMoment(
      hostTime: Int(HostTime.now()), origin: moment.origin, sampleRate: moment.sampleRate)
    try action.give()
    let rate = HeadlessServer.format.sampleRate
    let milliseconds = operation == .volume ? 5 : fade.milliseconds
    given.append(
      Given(
        operation: operation,
        command: LatencyReading.Command(
          expectation: action.expectation, beginsInSilence: operation.beginsInSilence,
          oldGain: oldGain, newGain: subject.gain, fade: milliseconds * rate / 1_000,
          hidden: operation.beginsInSilence ? hidden : hiddenBlock, leeway: leeway),
        moment: called, start: start))
    switch operation {
    case .pause: isPaused = true
    case .resume, .start, .scheduledStart: isPaused = false
    default: break
    }
  }

  /// Reads what was heard of each command up to the next, where that is recorded already, or of all.
  private mutating func read(all: Bool) throws {
    guard let last = given.last else { return }
    var ends = given.dropFirst().map(\.moment.number)
    var heard = listener.recorded
    if all {
      usleep(UInt32(last.operation.listening * 1_000))
      ends.append(try listener.moment().number)
      guard let rest = try listener.frames(through: ends.last!) else {
        throw BenchError("nothing has come from the sink's monitor for 20 s")
      }
      heard = rest
    }
    ends.removeAll { $0 > heard.end }
    for (one, end) in zip(given, ends) { read(one, to: end, in: heard) }
    given.removeFirst(ends.count)
    if let end = ends.last { listener.forget(before: end - leeway) }
  }

  private mutating func read(_ one: Given, to end: Int, in heard: HeardFrames) {
    var command = one.command
    if case .sound(let sound, LatencySubject.pausedFrame) = command.expectation {
      command.expectation = .sound(sound, from: pausedAt)
    }
    let reading = LatencyReading(heard, from: one.moment.number, to: end, of: command)
    if one.operation == .pause, case .exact(_, let number) = reading.replaced { pausedAt = number }
    let time = one.moment.hostTime(of: reading.firstNew ?? end)
    samples[one.operation, default: []].append(
      LatencySample(
        nanoseconds: one.start.map { abs(time - $0) } ?? max(0, time - one.moment.hostTime),
        silentFrames: reading.silentFrames, complaint: reading.complaint,
        hiddenFrames: reading.hiddenFrames))
  }
}
