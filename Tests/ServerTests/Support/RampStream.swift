// SPDX-License-Identifier: Apache-2.0

import Listening
import PulseAudio
import SampleBuffers
import Synchronization
import TestServers

/// A stream whose frames are their own numbers on all channels but the third, negative from a turn
/// to the next; opened for 2 s in requests of 500 ms.
final class RampStream: @unchecked Sendable {
  // @unchecked: the feeder's variables are touched with the connection's lock held only.
  let stream: PlaybackStream
  private let feeder = Feeder()

  init(_ server: PrivateServer, sink: String) throws {
    let connection = try server.connect()
    stream = try PlaybackStream(
      connection: connection, sink: sink,
      latency: Latency(targetMilliseconds: 2_000, requestMilliseconds: 500), mediaName: "ramp",
      events: feeder)
    try connection.withLock {
      try feeder.write(stream.targetLength, to: stream)
      stream.cork(false)
    }
  }

  /// Turns the sign of the last `frames` frames that are written, and of all that follow.
  ///
  /// - Returns: The first of them.
  func turn(last frames: Int) throws -> Int {
    try stream.connection.withLock {
      feeder.sign = -feeder.sign
      let first = stream.nextWriteFrame - Int64(frames)
      try feeder.write(frames, at: first, to: stream)
      return Int(first)
    }
  }

  /// A frame's number; nil for what is not one.
  static func number(of sample: Float) -> Int? {
    let value = abs(sample) * Float(1 << 23)
    return value >= 1 && value == value.rounded() ? Int(value) - 1 : nil
  }

  /// Whether `next` is the frame after `last`, and neither was turned.
  static func follows(_ last: Float, _ next: Float) -> Bool {
    guard let last = number(of: last), let next = number(of: next) else { return false }
    return next == last + 1
  }

  private final class Feeder: PlaybackStreamEvents, @unchecked Sendable {
    var sign: Float = 1

    func write(_ frames: Int, at first: Int64? = nil, to stream: PlaybackStream) throws(PulseError)
    {
      let channels = stream.format.channelCount
      try stream.write(at: first ?? stream.nextWriteFrame, frames: frames) {
        samples, frame, frames in
        for i in 0..<frames * channels {
          let number = Int(frame) + i / channels
          samples[i] = i % channels == 2 ? 0 : sign * Float(number + 1) / Float(1 << 23)
        }
      }
    }

    func framesRequested(_ frames: Int, by stream: PlaybackStream) {
      do throws(PulseError) {
        try write(frames, to: stream)
      } catch { preconditionFailure("\(error)") }
    }

    func failed(_ error: PulseError, on stream: PlaybackStream) {}
  }
}
