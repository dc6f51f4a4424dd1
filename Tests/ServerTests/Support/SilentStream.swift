// SPDX-License-Identifier: Apache-2.0

import PulseAudio
import SampleBuffers
import TestServers

/// Another program's stream on a playback's sink: silence without end, in blocks of up to half a second.
final class SilentStream: Sendable {
  private let stream: PlaybackStream

  init(on playback: ServerPlayback) throws {
    stream = try PlaybackStream(
      connection: playback.server.connect(), sink: playback.sink,
      latency: Latency(targetMilliseconds: 2_000, requestMilliseconds: 500),
      mediaName: "silence", events: Feeder())
    try stream.connection.withLock {
      try Feeder.fill(stream, frames: stream.targetLength)
      stream.cork(false)
    }
  }

  /// Ends it.
  func close() { stream.close() }

  private final class Feeder: PlaybackStreamEvents {
    static func fill(_ stream: PlaybackStream, frames: Int) throws(PulseError) {
      let channels = stream.format.channelCount
      try stream.write(at: stream.nextWriteFrame, frames: frames) { samples, _, frames in
        samples.initialize(repeating: 0, count: channels * frames)
      }
    }

    func framesRequested(_ frames: Int, by stream: PlaybackStream) {
      // A stream that has failed says so by `failed`, and is missed by nobody.
      do throws(PulseError) { try Self.fill(stream, frames: frames) } catch {}
    }
    func failed(_ error: PulseError, on stream: PlaybackStream) {}
  }
}
