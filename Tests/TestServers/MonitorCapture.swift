// SPDX-License-Identifier: Apache-2.0
import Foundation
public import PulseAudio
public import SampleBuffers

/// Records what a sink plays, from its monitor, until told to stop.
///
/// `@unchecked Sendable`: what has been recorded is touched under `condition` only.
public final class MonitorCapture: @unchecked Sendable {
  /// A run of frames that arrived together.
  public struct Arrival: Sendable {
    /// The first frame of the run, counted from the start of the recording.
    public let frame: Int
    /// How many.
    public let count: Int
    /// When they were here, in nanoseconds of `HostTime`.
    public let hostTime: UInt64
  }

  /// The format of its frames.
  public let format: AudioFormat
  private let condition = NSCondition()
  private var samples: [Float] = []
  /// Frames before those in `samples` that were taken.
  private var taken = 0
  private var runs: [Arrival] = []
  private var firstSound: Int?
  private var failure: PulseError?
  private var stream: RecordingStream?

  /// Starts to record; returns when the first frames have arrived, so that nothing is missed.
  ///
  /// - Parameters:
  ///   - connection: The server.
  ///   - sink: The sink's name.
  ///   - format: The sink's format, so that nothing is converted.
  ///   - fragment: The recorder's fragment, which is also the block that the sink renders in.
  /// - Throws: Where there is no such sink, or nothing arrives from it.
  public init(
    connection: PulseConnection, sink: String,
    format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    fragment: Duration = .milliseconds(10)
  ) throws {
    self.format = format
    stream = try RecordingStream(
      connection: connection, source: sink + ".monitor", format: format, fragment: fragment,
      mediaName: "capture", properties: ["node.name": Self.name(on: sink)],
      onFailure: { [weak self] in self?.failed($0) },
      receiver: { [weak self] in self?.received($0, $1, $2) })
    try wait("the first frame") { !runs.isEmpty }
  }

  /// The name of a sink's recorder among PipeWire's nodes.
  static func name(on sink: String) -> String { "capture \(sink)" }

  private func received(_ data: UnsafePointer<Float>?, _ frames: Int, _ hostTime: UInt64) {
    condition.lock()
    defer { condition.unlock() }
    let first = end
    runs.append(Arrival(frame: first, count: frames, hostTime: hostTime))
    let count = frames * format.channelCount
    if let data {
      let new = UnsafeBufferPointer(start: data, count: count)
      // Sample by sample in a debug build, silence was a tenth of what all tests at once cost the machine.
      let isSilent =
        count == 0
        || data[0] == 0 && memcmp(data, data + 1, (count - 1) * MemoryLayout<Float>.stride) == 0
      if firstSound == nil, !isSilent, let i = new.firstIndex(where: { $0 != 0 }) {
        firstSound = first + i / format.channelCount
      }
      samples.append(contentsOf: new)
    } else {
      samples.append(contentsOf: repeatElement(0, count: count))
    }
    condition.broadcast()
  }

  private func failed(_ error: PulseError) {
    condition.lock()
    defer { condition.unlock() }
    failure = error
    condition.broadcast()
  }

  /// Waits until `isTrue` under the lock; 20 s at most.
  private func wait(_ what: String, until isTrue: () -> Bool) throws {
    let end = Date(timeIntervalSinceNow: 20)
    condition.lock()
    defer { condition.unlock() }
    while !isTrue() {
      if let failure { throw failure }
      guard condition.wait(until: end) else {
        throw TestServerError(
          """
          20 s have passed before \(what); \(end) frames are \
          recorded, the first sound in \(firstSound.map(String.init) ?? "none")
          """)
      }
    }
  }

  /// Frames recorded so far.
  public var frameCount: Int { condition.withLock { end } }

  /// The frame that is recorded next, with the lock held.
  private var end: Int { taken + samples.count / format.channelCount }

  /// What has been recorded since the last time, interleaved; it is then forgotten, for recordings
  /// of hours.
  public func take() -> [Float] { takeWithArrivals().samples }

  /// The same with the runs that it arrived in.
  public func takeWithArrivals() -> (samples: [Float], arrivals: [Arrival]) {
    condition.withLock {
      let new = (samples, runs)
      taken = end
      samples = []
      runs = []
      return new
    }
  }

  /// The first frame that is not silent, once there is one; waits for it.
  public func firstSoundFrame() throws -> Int {
    try wait("a sound") { firstSound != nil }
    return condition.withLock { firstSound! }
  }

  /// Interleaved samples of `count` frames from `start` on; waits until they are recorded.
  public func frames(from start: Int, count: Int) throws -> [Float] {
    try wait("frame \(start + count)") { end >= start + count }
    return condition.withLock {
      precondition(count == 0 || start >= taken, "frame \(start) was taken")
      guard count > 0 else { return [] }
      let first = (start - taken) * format.channelCount
      return Array(samples[first..<first + count * format.channelCount])
    }
  }

  /// Interleaved samples of `count` frames from the first that is not silent; waits for them.
  public func sound(count: Int) throws -> [Float] {
    try frames(from: firstSoundFrame(), count: count)
  }

  /// All that has been recorded, interleaved.
  public var recording: [Float] { condition.withLock { samples } }

  /// The runs that it arrived in.
  public var arrivals: [Arrival] { condition.withLock { runs } }

  /// Ends the recording; what is recorded stays.
  public func stop() {
    stream?.close()
  }
}
