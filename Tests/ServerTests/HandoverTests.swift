// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import CFaults
import Foundation
import MediaTime
@testable import PulseDevice
@testable import Rendering
import TestServers
import Testing

/// Another device right behind what takes place a block later.
@Suite struct HandoverTests {
  /// Another player of the scene's file, on device a of a server that can be made to be far away.
  private func farPlayer(_ scene: FaultScene) throws -> (
    far: OpaquePointer, renderer: PulseAudioRenderer, player: SampleBufferPlayer
  ) {
    let path = String(scene.server.address.dropFirst("unix:".count))
    let far = try #require(far_server_start("\(path)-far", path))
    let renderer = try PulseAudioRenderer(
      device: "a", server: "unix:\(path)-far", applicationName: "attacca tests", mediaName: "far")
    let player = SampleBufferPlayer(renderer: renderer)
    player.playlist.append(PlaylistItem(path: scene.player.playlist[0].path))
    return (far, renderer, player)
  }

  enum Edit: CaseIterable {
    case pause, flush, pauseAndPlay
  }

  /// What the first stream has of them nobody else has: it was stopped before that was heard.
  @Test(arguments: FaultScene.Kind.allCases, Edit.allCases)
  func `no frame is lost between a pause or a flush and another device`(
    kind: FaultScene.Kind, edit: Edit
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, seconds: 20, sinks: [FaultScene.a, FaultScene.b])
      scene.player.synchronizer.fade = .none
      scene.player.play()
      try scene.waitUntil(0.8)
      for round in 0..<12 {
        let device = ["b", "a"][round % 2]
        switch edit {
        case .pause: scene.player.pause()
        case .flush: scene.renderer.flush()
        case .pauseAndPlay:
          scene.player.pause()
          scene.player.play()
        }
        scene.player.outputDevice = device
        try scene.events.wait("the route to \(device)", count: round / 2 + 1) {
          $0.hasPrefix("route ") && $0.contains(">\(device) ")
        }
        scene.player.play()
        try scene.waitUntil(scene.time + 0.3)
      }
      let end = Int(scene.time * 48_000) - 4_800
      let runs = (scene.runs(0) + scene.runs(1)).sorted { $0.lowerBound < $1.lowerBound }
      var (next, holes) = (0, Set<Int>())
      for run in runs where run.lowerBound < end {
        if run.lowerBound > next { holes.insert(run.lowerBound - next) }
        next = max(next, run.upperBound)
      }
      // What goes on in the middle of a sound fades in for 5 ms, 240 frames, and does not name itself; some of
      // that the first stream may have named. Behind a flush, which fades out, it is from the frame with which
      // that began and which does.
      #expect(holes.allSatisfy { $0 <= 240 }, "\(runs)")
    }
  }

  // A stream that goes back waits for its answers, which nobody gives once it is closed: no command was carried
  // out any more, for good (chaos, after 18 minutes).
  @Test(arguments: FaultScene.Kind.allCases)
  func `a stream that goes back when another device takes over leaves nothing unanswered`(
    kind: FaultScene.Kind
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, seconds: 20, sinks: [FaultScene.a, FaultScene.b])
      let renderer = try PulseAudioRenderer(
        device: "a", server: scene.server.address, latency: .low, applicationName: "attacca tests",
        mediaName: "stopped")
      let output = try #require(renderer.output as? PulseAudioOutput)
      let player = SampleBufferPlayer(renderer: renderer)
      player.playlist.append(PlaylistItem(path: scene.player.playlist[0].path))
      player.play()
      scene.last(0.8)
      func loop(_ what: String, while condition: () -> Bool) throws {
        let limit = HostTime.now() + 5_000_000_000
        while output.withLock(condition) {
          guard HostTime.now() < limit else {
            let isBack = output.withLock { output.state.rewind != nil }
            throw Unmet("\(what) within 5 s, going back: \(isBack)")
          }
          scene.last(0.001)
        }
      }
      for round in 0..<12 {
        let device = ["b", "a"][round % 2]
        scene.signal(SIGSTOP)
        player.outputDevice = device
        renderer.volume = Float(round) / 20
        scene.last(0.3)
        scene.signal(SIGCONT)
        try loop("device \(round)") { output.devices.inUse != device }
        renderer.volume = 1
        try loop("volume \(round)") { !output.asked.answers.isEmpty }
        scene.last(0.2)
      }
    }
  }

  /// A device that goes has what it may not have played heard again on the next one; only so much of it as
  /// comes behind the last jump: frames of an item that had been left came after the next one's first.
  ///
  /// A server that is 60 ms away each way is asked what became of its devices while seeks are heard.
  @Test(arguments: FaultScene.Kind.allCases)
  func `what was left before a device went is not heard on the next one`(
    kind: FaultScene.Kind
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, seconds: 20, sinks: [FaultScene.a, FaultScene.b])
      let (far, _, player) = try farPlayer(scene)
      defer { far_server_stop(far) }
      player.play()
      scene.last(0.8)
      far_server_set_delay(far, 60, 60)
      let seeks = DispatchGroup()
      seeks.enter()
      Thread {
        defer { seeks.leave() }
        for number in 5..<30 {
          player.seek(to: MediaTime(value: Int64(number) * 30_000, timescale: 48_000))
          Thread.sleep(forTimeInterval: 0.06)
        }
      }.start()
      scene.last(0.4)
      try scene.server.removeSink("a")
      seeks.wait()
      scene.last(1)
      let runs = scene.runs(1)
      let back = zip(runs, runs.dropFirst()).filter { $1.lowerBound < $0.lowerBound - 20_000 }
      #expect(!runs.isEmpty && back.isEmpty, "\(runs)")
    }
  }
}
