// SPDX-License-Identifier: Apache-2.0
import CFaults
import Foundation
@testable import PulseAudio
import MediaTime
import SampleBuffers
import Synchronization
import TestServers
import Testing

@Suite struct `Connection` {
  @Test func `no server is an error at once that says what to do`() async throws {
    try await onOwnThread {
      let start = HostTime.now()
      let error = #expect(throws: PulseError.self) {
        try PulseConnection(server: "unix:/nonexistent/native", applicationName: "test")
      }
      #expect(HostTime.now() - start < 1_000_000_000)
      #expect(error?.isServerMissing == true)
      #expect(
        error?.description == """
          server ‘unix:/nonexistent/native’: no sound server answers there; start one (`pulseaudio \
          --start`, or `systemctl --user start pipewire-pulse`) or set PULSE_SERVER to the one to use
          """)
      #expect(error?.debugDescription.hasSuffix(" (pa_context_connect, code 6)") == true)
    }
  }

  @Test func `a sink that is not there is an error that names it`() async throws {
    try await onOwnThread {
      let connection = try PrivatePulseServer.shared.connect()
      let error = #expect(throws: PulseError.self) {
        try PlaybackStream(
          connection: connection, sink: "nowhere", mediaName: "x", events: StreamRecorder())
      }
      #expect(
        error?.description == "sink ‘nowhere’: not there")
    }
  }

  // libpulse 16 went round for good with the lock held: each call of the player waited for it.
  @Test func `a server that goes while it lets a client in is an error`() async throws {
    try await onOwnThread {
      let path = String(try PrivatePulseServer.shared.address.dropFirst("unix:".count))
      let far = try #require(far_server_start("\(path)-letting-in", path))
      defer { far_server_stop(far) }
      // The client is let in, and told of no shared memory to speak through so far.
      far_server_hold_answers(far, 1)
      let mainloop = try PulseMainloop()
      let isOver = DispatchSemaphore(value: 0)
      let reason = Mutex<PulseError.Reason?>(nil)
      DispatchQueue(label: "connects").async {
        do throws(PulseError) {
          _ = try PulseConnection(
            mainloop: mainloop, server: "unix:\(path)-letting-in", applicationName: "test")
        } catch { reason.withLock { $0 = error.reason } }
        isOver.signal()
      }
      while far_server_connections(far) == 0 { Thread.sleep(forTimeInterval: 0.001) }
      // A client that has not said its name by then is told of the end there, as it always was.
      Thread.sleep(forTimeInterval: 0.2)
      // The offer of shared memory and the end are there when the client looks again.
      mainloop.withLock {
        far_server_hold_answers(far, -1)
        Thread.sleep(forTimeInterval: 0.1)
        far_server_cut(far)
        while far_server_connections(far) > 0 { Thread.sleep(forTimeInterval: 0.001) }
      }
      #expect(isOver.wait(timeout: .now() + 10) == .success)
      #expect(reason.withLock { $0 } == .serverGone, "nil where it was let in")
    }
  }

  @Test func `sinks are listed with their formats and whether they rewind`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer.shared
      let format = AudioFormat(sampleRate: 96_000, layout: .surround51)
      let plain = try server.makeSink(format: format)
      let rewinding = try server.makeSink(rewinds: true)
      let connection = try server.connect()
      let sinks = try connection.sinks()
      let found = try #require(sinks.first { $0.name == plain })
      #expect(found.format == format)
      #expect(found.monitorName == plain + ".monitor")
      #expect(!found.isKnownToRewind)
      #expect(try #require(sinks.first { $0.name == rewinding }).isKnownToRewind)
      #expect(sinks.filter(\.isDefault).count == 1)
      #expect(
        try connection.sink(named: nil).name == connection.serverDescription().defaultSinkName)
    }
  }

  @Test func `the lock can be taken again, and its holder is known`() async throws {
    try await onOwnThread {
      let connection = try PrivatePulseServer.shared.connect()
      #expect(!connection.isLockHeld)
      connection.withLock {
        connection.withLock { #expect(connection.isLockHeld) }
        #expect(connection.isLockHeld)
        let other = Thread { #expect(!connection.isLockHeld) }
        other.start()
        while !other.isFinished { sched_yield() }
      }
      #expect(!connection.isLockHeld)
    }
  }

  @Test func `waiting for the server with the lock held stops the program`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let server = try PrivatePulseServer()
      let connection = try server.connect()
      try connection.withLock { _ = try connection.sinks() }
    }
    #expect(end.says("sinks() waits for the server, which the lock's holder cannot"))
  }

  @Test func `a server that dies is told once to all, and closing afterwards does not hang`()
    async throws
  {
    try await onOwnThread {
      let server = try PrivatePulseServer()
      let sink = try server.makeSink()
      let failures = Failures()
      let connection = try server.connect(onFailure: { failures.add($0) })
      let owner = StreamRecorder()
      let stream = try PlaybackStream(
        connection: connection, sink: sink, mediaName: "x", events: owner)
      try connection.withLock {
        try stream.write(at: 0, frames: 48_000, fill: Ramp.fill(channels: 2))
        stream.cork(false)
        stream.requestTiming(1)
      }
      server.signal(SIGKILL)
      let error = try owner.waitForFailure()
      #expect(error.isServerMissing, "\(error)")
      connection.withLock {
        #expect(throws: PulseError.self) {
          try stream.write(at: 48_000, frames: 480, fill: Ramp.fill(channels: 2))
        }
        #expect(!stream.requestTiming())
        stream.cork(true)
      }
      #expect(throws: PulseError.self) { try connection.sinks() }
      stream.close()
      stream.close()
      #expect(owner.failureCount == 1)
      #expect(failures.count == 1)
    }
  }

  @Test func `a stream whose sink is removed fails alone`() async throws {
    try await onOwnThread {
      // The last sink of a server: with another one the stream would be moved there.
      let server = try PrivatePulseServer()
      let module = try server.control(["load-module", "module-null-sink", "sink_name=only"])
      let connection = try server.connect()
      let owner = StreamRecorder()
      let stream = try PlaybackStream(
        connection: connection, sink: "only", mediaName: "x", events: owner)
      defer { stream.close() }
      try server.control(["unload-module", module])
      #expect(!(try owner.waitForFailure().isServerMissing))
      // What the server says of its streams is not handed to this one any more.
      #expect(connection.withLock { connection.streams.isEmpty })
      #expect(stream.sinkInputIndex == nil)
      #expect(try connection.sinks().allSatisfy { $0.name != "only" })
    }
  }
}

/// `@unchecked Sendable`: the errors are touched under `lock` only.
private final class Failures: @unchecked Sendable {
  private let lock = NSLock()
  private var errors: [PulseError] = []
  func add(_ error: PulseError) { lock.withLock { errors.append(error) } }
  var count: Int { lock.withLock { errors.count } }
}
