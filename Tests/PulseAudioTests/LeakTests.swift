// SPDX-License-Identifier: Apache-2.0
import Foundation
import MediaTime
import PulseAudio
import SampleBuffers
import TestServers
import Testing

/// In processes of their own, as the other tests open files and start threads meanwhile.
@Suite struct `Open and close` {
  @Test func `fifty times leaves no file and no thread behind`() async {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      let sink = try server.makeSink()
      for cycle in 0..<55 {
        // The first ones load what libpulse and the C library keep for good.
        if cycle == 5 { Census.start = Census() }
        let connection = try server.connect()
        let stream = try PlaybackStream(
          connection: connection, sink: sink, mediaName: "x", events: StreamRecorder())
        let recorder = try RecordingStream(
          connection: connection, source: sink + ".monitor", format: stream.format,
          fragment: .milliseconds(5), mediaName: "x"
        ) { _, _, _ in }
        try connection.withLock {
          try stream.write(at: 0, frames: 4_800, fill: Ramp.fill(channels: 2))
          stream.cork(false)
          // Pending when closed: the answer would come to an object that is gone.
          for _ in 0..<20 { stream.requestTiming() }
        }
        if cycle % 2 == 0 { stream.close() }
        if cycle % 3 == 0 { recorder.close() }
        do {
          _ = try PulseConnection(server: "unix:/nonexistent", applicationName: "x")
        } catch {}
      }
      // Threads end a moment after what they worked for, those of a pool after 5 s without work.
      let end = HostTime.now() + 15_000_000_000
      while Census().exceeds(Census.start), HostTime.now() < end { sched_yield() }
      precondition(
        !Census().exceeds(Census.start), "\(Census.start) before, \(Census()) after")
    }
  }

  @Test func `the last reference may go in a callback`() async {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      _ = try server.makeSink()
      let start = Census()
      let gone = DispatchSemaphore(value: 0)
      let owner = Abandoner { gone.signal() }
      owner.stream = try PlaybackStream(
        connection: server.connect(), mediaName: "x", events: owner)
      try owner.stream?.connection.withLock {
        try owner.stream?.write(at: 0, frames: 480, fill: Ramp.fill(channels: 2))
        owner.stream?.cork(false)
      }
      precondition(gone.wait(timeout: .now() + 5) == .success, "no answer")
      // The connection is then closed on another thread, soon.
      let end = HostTime.now() + 5_000_000_000
      while Census() != start, HostTime.now() < end { sched_yield() }
      precondition(Census() == start, "\(start) before, \(Census()) after")
    }
  }
}

/// Lets its stream, and with it the connection, go when something is told of them.
///
/// `@unchecked Sendable`: `stream` is set before the first frame and then only when no more is there.
private final class Abandoner: PlaybackStreamEvents, @unchecked Sendable {
  var stream: PlaybackStream?
  private let told: @Sendable () -> Void
  init(told: @escaping @Sendable () -> Void) { self.told = told }

  func underflowed(at frame: Int64, on stream: PlaybackStream) {
    self.stream = nil
    told()
  }
  func failed(_ error: PulseError, on stream: PlaybackStream) {}
}

/// Open files and running threads of this process.
private struct Census: Equatable {
  /// Set once, before anything is compared with it, by the one thread of the test's process.
  nonisolated(unsafe) static var start = Census()
  let files = count("/proc/self/fd")
  let threads = count("/proc/self/task")

  /// Whether there is more of either.
  func exceeds(_ other: Census) -> Bool { files > other.files || threads > other.threads }

  private static func count(_ folder: String) -> Int {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder).count } catch {
      preconditionFailure("\(folder): \(error)")
    }
  }
}
