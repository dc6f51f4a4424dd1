// SPDX-License-Identifier: Apache-2.0
import CFaults
import Foundation
import Glibc
import MediaTime
import PulseAudio
import SampleBuffers
import TestServers
import Testing

/// The sink that a stream was made on, whose format it has.
@Suite struct FirstSinkTests {
  private final class Owner: PlaybackStreamEvents {
    func failed(_ error: PulseError, on stream: PlaybackStream) {}
  }

  /// A server that was 0.4 s away told at once of a stream and of its moves to another sink, and to one that had come
  /// in place of the first: the stream stayed there in the first one's format (chaos, SEED=988028).
  ///
  /// With a wait of 30 ms behind each `pthread_cond_wait` the second sink counted as the first in one of three.
  @Test func `a stream that is moved before its thread has its turn knows where it was made`()
    async throws
  {
    try await onOwnThread {
      let server = try PrivatePulseServer()
      defer { server.stop() }
      let slow = AudioFormat(sampleRate: 44_100, layout: .stereo)
      _ = try server.makeSink(named: "b", format: slow)
      _ = try server.makeSink(named: "a")
      try server.setDefault(sink: "b")
      let first = try server.connect().sinks().first { $0.name == "b" }?.index
      let far = try #require(far_server_start("\(server.messageSocket)-far", server.messageSocket))
      defer { far_server_stop(far) }
      let connection = try PulseConnection(
        server: "unix:\(server.messageSocket)-far", applicationName: "attacca tests")
      far_server_set_delay(far, 0, 2_000)
      let opened = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var stream: Result<PlaybackStream, any Error>?
      Thread {
        // SCHED_IDLE, 5 in linux/sched.h: it has its turn when nothing else has anything to do.
        var parameters = sched_param()
        sched_setscheduler(0, 5, &parameters)
        stream = Result {
          try PlaybackStream(connection: connection, mediaName: "first", events: Owner())
        }
        opened.signal()
      }.start()
      let limit = HostTime.now() + 10_000_000_000
      while try server.control(["list", "short", "sink-inputs"]).isEmpty {
        try #require(HostTime.now() < limit)
      }
      try server.removeSink("b")
      _ = try server.makeSink(named: "b")
      try server.setDefault(sink: "b")
      far_server_set_delay(far, 0, 0)
      let end = HostTime.now() + 2_500_000_000
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        Thread { while HostTime.now() < end {} }.start()
      }
      opened.wait()
      let made = try #require(stream).get()
      defer { made.close() }
      #expect(made.format == slow)
      #expect(made.firstDeviceIndex == first)
    }
  }
}
