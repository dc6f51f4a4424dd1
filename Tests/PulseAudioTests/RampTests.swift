// SPDX-License-Identifier: Apache-2.0
import PulseAudio
import SampleBuffers
import TestServers
import Testing

@Suite struct `Playback on a real server` {
  @Test func `a ramp comes out of the monitor frame by frame`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer.shared
      let sink = try server.makeSink()
      let connection = try server.connect()
      let capture = try MonitorCapture(connection: connection, sink: sink)
      let owner = StreamRecorder()
      let stream = try PlaybackStream(
        connection: connection, sink: sink, latency: .balanced, mediaName: "ramp", events: owner)
      defer { stream.close() }
      #expect(stream.format == AudioFormat(sampleRate: 48_000, layout: .stereo))
      try connection.withLock {
        try stream.write(at: 0, frames: 24_000, fill: Ramp.fill(channels: 2))
        stream.cork(false)
      }
      let heard = try capture.sound(count: 24_000)
      #expect(heard == Ramp.samples(0..<24_000, channels: 2))
    }
  }
}
