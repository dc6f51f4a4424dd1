// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import MediaTime
package import PulseAudio
import SampleBuffers

/// A stream that plays its own frames' numbers on one channel of a sink, and asks which is heard.
///
/// It holds 2 s in the server and asks for no sink latency below its block, 1,960 ms unless told otherwise: the
/// sink's blocks are those that it has without it.
///
/// `@unchecked Sendable`: `clock` and `failure` are touched between wait and signal of `semaphore` only.
package final class ReferenceStream: @unchecked Sendable {
  private let stream: PlaybackStream
  private let feeder: Feeder
  private let timer: (any DispatchSourceTimer)?

  /// Opens it on a sink and begins to play; blocks until the server has made it.
  ///
  /// - Parameters:
  ///   - connection: The server.
  ///   - sink: The sink's name.
  ///   - channel: The one of the sink that no other stream has anything on.
  ///   - block: The longest block that the sink may take.
  /// - Throws: Where there is no such sink, or the server is gone.
  package init(
    connection: PulseConnection, sink: String, channel: Int,
    block: Duration
  ) throws(PulseError) {
    let isPipeWire = try connection.serverDescription().isPipeWire
    let format = try connection.sink(named: sink).format
    precondition(
      0..<format.channelCount ~= channel, "channel \(channel) of \(format.channelCount)")
    let feeder = Feeder(
      channel: channel,
      clock: ReferenceClock(sampleRate: format.sampleRate, isOfCycles: isPipeWire))
    self.feeder = feeder
    // Without `ADJUST_LATENCY` the server takes tlength − 2 · minreq for the sink's latency.
    let blockMilliseconds = Int(block / .milliseconds(1))
    let requestMilliseconds = (2_000 - blockMilliseconds) / 2
    let stream = try PlaybackStream(
      connection: connection, sink: sink,
      latency: Latency(
        targetMilliseconds: 2 * requestMilliseconds + blockMilliseconds,
        requestMilliseconds: requestMilliseconds),
      sharesLatency: false, mediaName: "reference", events: feeder)
    self.stream = stream
    try connection.withLock { () throws(PulseError) in
      try stream.write(at: 0, frames: stream.targetLength, fill: feeder.fill(of: stream))
      stream.cork(false)
    }
    guard isPipeWire else {
      timer = nil
      return
    }
    // Prime to any cycle of a power of 2 frames, so that some questions come right after one.
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "attacca.reference"))
    timer.schedule(deadline: .now(), repeating: .microseconds(3_100), leeway: .nanoseconds(0))
    timer.setEventHandler { [stream] in
      stream.connection.withLock {
        // A slow server has places left for the questions that are waited for.
        if stream.unansweredTimingRequests < 8 { stream.requestTiming(Feeder.unawaited) }
      }
    }
    timer.resume()
    self.timer = timer
  }

  deinit { close() }

  /// Ends it; any thread.
  package func close() {
    timer?.cancel()
    stream.close()
  }

  /// This moment by what the server says now; blocks for some round trips, and until the clock is known.
  ///
  /// PipeWire's is known once its read index has moved twice, which takes two cycles, and longer on a busy machine.
  ///
  /// - Throws: Where the stream is gone, or the server does not answer for 5 s.
  package func moment() throws(PulseError) -> HeardMoment {
    let limit = HostTime.now() + 5_000_000_000
    // The best of three: the server may be held up before it looks at its clock.
    var answers = 0
    while true {
      guard stream.connection.withLock({ stream.requestTiming(Feeder.awaited) }),
        feeder.arrived.wait(timeout: .now() + 5) == .success
      else { throw whyNot }
      answers += 1
      let clock = feeder.semaphore.withLock { feeder.clock }
      if answers >= 3, let origin = clock.origin {
        return HeardMoment(
          hostTime: Int(HostTime.now()), origin: origin, sampleRate: stream.format.sampleRate)
      }
      guard HostTime.now() < limit else { throw whyNot }
      if answers >= 3 { usleep(5_000) }
    }
  }

  /// Reason for there being no moment.
  private var whyNot: PulseError {
    feeder.semaphore.withLock { feeder.failure }
      ?? .unanswered("pa_stream_update_timing_info", subject: "the reference stream")
  }

  /// Frames between the last two places of the read index; 0 before.
  package var cycle: Int { feeder.semaphore.withLock { feeder.clock.cycle ?? 0 } }

  package var sampleRate: Int { stream.format.sampleRate }

  /// The receiver of the server's calls, which must not keep the stream.
  private final class Feeder: PlaybackStreamEvents, @unchecked Sendable {
    static let unawaited = 0
    static let awaited = 1
    let semaphore = DispatchSemaphore(value: 1)
    let arrived = DispatchSemaphore(value: 0)
    private let channel: Int
    var clock: ReferenceClock
    var failure: PulseError?

    init(channel: Int, clock: ReferenceClock) { (self.channel, self.clock) = (channel, clock) }

    func fill(
      of stream: PlaybackStream
    ) -> (UnsafeMutablePointer<Float>, Int64, Int) -> Void {
      let (channels, channel) = (stream.format.channelCount, channel)
      return { samples, frame, frames in
        samples.initialize(repeating: 0, count: frames * channels)
        for i in 0..<frames {
          samples[i * channels + channel] = ReferenceCode.sample(of: Int(frame) + i)
        }
      }
    }

    func framesRequested(_ frames: Int, by stream: PlaybackStream) {
      // A stream that has failed says so by `failed`.
      do throws(PulseError) {
        try stream.write(at: stream.nextWriteFrame, frames: frames, fill: fill(of: stream))
      } catch {}
    }

    func timingArrived(_ report: TimingReport?, token: Int, on stream: PlaybackStream) {
      if let report { semaphore.withLock { clock.add(report) } }
      if token == Self.awaited { arrived.signal() }
    }

    func failed(_ error: PulseError, on stream: PlaybackStream) {
      semaphore.withLock { failure = error }
    }
  }
}

extension DispatchSemaphore {
  /// Runs `body` between wait and signal.
  func withLock<R>(_ body: () throws -> R) rethrows -> R {
    wait()
    defer { signal() }
    return try body()
  }
}
