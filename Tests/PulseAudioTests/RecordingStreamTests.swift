// SPDX-License-Identifier: Apache-2.0
import Foundation
import MediaTime
import PulseAudio
import SampleBuffers
import TestServers
import Testing

@Suite struct `Recording stream` {
  @Test func `fragments come as long as they were asked for, stamped when they came`()
    async throws
  {
    try await onOwnThread {
      let server = try PrivatePulseServer.shared
      let sink = try server.makeSink()
      let connection = try server.connect()
      let capture = try MonitorCapture(
        connection: connection, sink: sink, fragment: .milliseconds(4))
      _ = try capture.frames(from: 0, count: 9_600)
      capture.stop()
      let arrivals = capture.arrivals
      #expect(arrivals.allSatisfy { $0.count <= 192 })
      #expect(arrivals.map(\.hostTime) == arrivals.map(\.hostTime).sorted())
      #expect(arrivals.last.map { $0.hostTime <= HostTime.now() } == true)
      // Closed: nothing more comes, however long the sink goes on.
      let other = try MonitorCapture(connection: connection, sink: sink)
      let count = capture.frameCount
      _ = try other.frames(from: 0, count: 4_800)
      #expect(capture.frameCount == count)
    }
  }

  @Test func `a source that is not there is an error that names it`() async throws {
    try await onOwnThread {
      let connection = try PrivatePulseServer.shared.connect()
      let error = #expect(throws: PulseError.self) {
        try RecordingStream(
          connection: connection, source: "nowhere",
          format: AudioFormat(sampleRate: 48_000, layout: .stereo), fragment: .milliseconds(10),
          mediaName: "x"
        ) { _, _, _ in }
      }
      #expect(error?.call == "pa_stream_connect_record")
      #expect(error?.subject == "source ‘nowhere’")
    }
  }
}
