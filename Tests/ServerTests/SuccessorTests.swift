// SPDX-License-Identifier: Apache-2.0

import Attacca
import CFaults
import Foundation
import MediaTime
import PulseAudio
@testable import PulseDevice
@testable import Rendering
import TestServers
import Testing

/// A stream that was to take over and is lost, or takes over when another device is wished.
@Suite struct SuccessorTests {
  /// A connection of its own for a stream on a sink, which can be cut.
  private func open(
    on sink: String, _ scene: FaultScene, _ output: PulseAudioOutput
  ) throws -> (stream: PlaybackStream, cut: () throws -> Void) {
    let path = scene.server.messageSocket
    let far = try #require(far_server_start("\(path)-next", path))
    let connection = try PulseConnection(
      mainloop: output.mainloop, server: "unix:\(path)-next", applicationName: "attacca tests")
    var wish = output.withLock { output.request }
    wish.device = sink
    let (_, stream) = try output.open(wish, on: connection, fallsBack: false)
    return (
      stream,
      {
        far_server_stop(far)
        try wait(for: "the end of the stream") { stream.sinkName != nil }
      }
    )
  }

  /// The attempt that `stream` is told as the outcome of.
  private func wanted(_ output: PulseAudioOutput) throws -> Int {
    guard case .open(let generation) = output.state.link.wanted() else { throw Unmet("an attempt") }
    return generation
  }

  private func output(_ scene: FaultScene) throws -> PulseAudioOutput {
    try #require(scene.renderer.output as? PulseAudioOutput)
  }

  // It took over, and nothing was heard any more.
  @Test(arguments: FaultScene.Kind.allCases)
  func `a stream that is lost before it is to take over does not`(kind: FaultScene.Kind)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(kind, sinks: [FaultScene.a, FaultScene.b])
      let output = try output(scene)
      scene.player.play()
      try scene.waitUntil(1)
      let next = try open(on: "b", scene, output)
      try next.cut()
      try output.withLock {
        output.opened(next.stream, try wanted(output), reason: nil)
      }
      try scene.waitUntil(2.5)
      #expect(scene.renderer.deviceName == "a")
      #expect(scene.account(0).lost == 0, "\(scene.account(0))")
    }
  }

  // The present stream, corked for the other one, was uncorked and never woken again: the end was never told.
  @Test(arguments: FaultScene.Kind.allCases)
  func `a stream whose successor is lost goes on to its end`(kind: FaultScene.Kind) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, seconds: 3, sinks: [FaultScene.a, FaultScene.b])
      let output = try output(scene)
      scene.player.play()
      // All that there is has been written.
      try wait(for: "the last frames") { output.withLock { output.state.lastFrame == nil } }
      let next = try open(on: "b", scene, output)
      scene.signal(SIGSTOP)
      try output.withLock { output.opened(next.stream, try wanted(output), reason: nil) }
      try wait(for: "the wait for the place") { output.withLock { !output.state.isHandingOver } }
      output.withLock { output.lose(next.stream.goneError, next.stream) }
      scene.signal(SIGCONT)
      try scene.events.wait("the end") { $0 == "end" }
      // The recorder may be a cycle behind.
      try wait(for: "the last frame, after \(scene.account(0))") {
        scene.account(0).end < 3 * 48_000
      }
      #expect(scene.account(0).lost == 0, "\(scene.account(0))")
      try next.cut()
    }
  }

  // Nobody looked again until the devices changed the next time.
  @Test(arguments: FaultScene.Kind.allCases)
  func `a wished device that comes back while another one's stream is being opened is played on`(
    kind: FaultScene.Kind
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, sinks: [FaultScene.a, FaultScene.b], device: "b")
      let output = try output(scene)
      scene.player.play()
      try scene.waitUntil(1)
      try scene.server.removeSink("b")
      try scene.events.wait("the move") { $0.hasPrefix("route b>a") }
      let generation = try output.withLock { try wanted(output) }
      let next = try open(on: "a", scene, output)
      _ = try scene.server.makeSink(named: "b", format: FaultScene.b.format)
      try wait(for: "the look") {
        output.withLock {
          !output.devices.known.contains("b") || output.devices.look != .none
        }
      }
      output.withLock { output.opened(next.stream, generation, reason: nil) }
      try scene.events.wait("the return") { $0 == "route a>b newDeviceAvailable" }
      #expect(scene.player.outputDevice == "b")
      try scene.waitUntil(scene.time + 0.5)
      try next.cut()
    }
  }

  // It was played on in the other sink's format, for as long as nothing moved it again.
  @Test(arguments: FaultScene.Kind.allCases)
  func `a stream that is moved before it takes over is played on in its sink's format`(
    kind: FaultScene.Kind
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, sinks: [FaultScene.a, FaultScene.surround])
      let output = try output(scene)
      scene.player.play()
      try scene.waitUntil(1)
      let next = try open(on: "surround", scene, output)
      #expect(next.stream.format.channelCount == 6)
      let index = try #require(next.stream.sinkInputIndex)
      // PipeWire's session manager passes over a move that comes while it links the stream: it is told again.
      for _ in 0..<4 where next.stream.sinkName != "a" {
        try scene.server.control(["move-sink-input", "\(index)", "a"])
        let limit = HostTime.now() + 2_500_000_000
        while next.stream.sinkName != "a", HostTime.now() < limit {
          Thread.sleep(forTimeInterval: 0.001)
        }
      }
      try #require(next.stream.sinkName == "a")
      try output.withLock { output.opened(next.stream, try wanted(output), reason: nil) }
      try scene.events.wait("six channels, and two again", count: 2) { $0 == "device" }
      #expect(output.withLock { output.storedFormat.channelCount } == 2)
      #expect(scene.renderer.deviceName == "a")
      let time = scene.time
      try scene.waitUntil(time + 1.5)
      #expect((scene.runs(0).last?.count ?? 0) > 48_000, "\(scene.runs(0))")
      try next.cut()
    }
  }
}
