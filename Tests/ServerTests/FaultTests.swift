// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
@testable import PulseDevice
@testable import Rendering
import TestServers
import Testing

/// What is heard when the server fails: nothing is lost, little is heard twice.
///
/// The lines that start with "fault:" are those of `docs/faults.md`.
@Suite(.serialized) struct FaultTests {
  @Test(arguments: FaultScene.Kind.allCases)
  func `a server that is killed and comes back goes on where it was`(kind: FaultScene.Kind)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(kind)
      scene.player.play()
      try scene.waitUntil(2.3)
      scene.kill()
      try scene.events.wait("the loss") { $0 == "lost" }
      let held = scene.time
      #expect(scene.player.rate == 1)
      #expect(scene.player.currentItem != nil)
      try scene.restart()
      try scene.events.wait("the return") { $0 == "returned" }
      let returned = try #require(scene.events.hostTime { $0 == "returned" })
      let time = scene.time
      // Told after the first frame is on its way, and received 50 ms later at most.
      let since = Double(HostTime.now() - returned) / 1e9
      #expect((0...since + 0.05).contains(time - held), "\(held) to \(time) s, \(since) s after it")
      try scene.waitUntil(held + 1.5)
      let damage = Damage(scene.runs(0) + scene.runs(1))
      damage.report(kind, "killed and restarted")
      #expect(damage.lost == 0)
      #expect(damage.repeated <= 48 * 600, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(scene.renderer.underrunCount == 0)
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `a server that stops answering for a second is not noticed`(kind: FaultScene.Kind)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(kind, seconds: 6)
      scene.player.play()
      try scene.waitUntil(1.3)
      scene.stop(for: 1)
      try scene.waitUntil(4.5)
      let damage = Damage(scene.runs(0))
      damage.report(kind, "stopped for 1 s")
      #expect(damage.lost <= kind.lostByStop, "\(scene.runs(0))")
      #expect(damage.repeated == 0, "\(scene.runs(0))")
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `a server that stops answering for longer than its buffer loses nothing`(
    kind: FaultScene.Kind
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind)
      scene.player.play()
      try scene.waitUntil(1.3)
      scene.signal(SIGSTOP)
      let stopped = scene.time
      scene.stop(for: 4) {
        // Without a word from the server the clock holds, three requests of 850 ms behind the last one. That may
        // have been read a little later than it was sent: 3.917 s were held on a machine that stood still. PipeWire's
        // stream stands still with its server: the clock holds 0.25 s behind the next question.
        let held = scene.time
        #expect(held <= stopped + (kind == .pipeWire ? 0.95 + 0.25 : 2.55) + 0.1)
        #expect((0..<1_000).map { _ in scene.time }.allSatisfy { $0 == held })
      }
      try scene.waitUntil(6)
      let damage = Damage(scene.runs(0))
      damage.report(kind, "stopped for 4 s")
      #expect(damage.lost <= kind.lostByStop, "\(scene.runs(0))")
      #expect(damage.repeated == 0, "\(scene.runs(0))")
    }
  }

  /// The first seek waits for its answer, the second one for the first: decoded was what could be, and what
  /// found no room in the line ended the process.
  @Test(arguments: FaultScene.Kind.allCases)
  func `seeks in a pause while the server does not answer end where the last one went`(
    kind: FaultScene.Kind
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind)
      scene.player.play()
      try scene.waitUntil(1)
      scene.player.pause()
      scene.last(0.5)
      scene.stop(for: 0.05) {
        scene.player.seek(to: MediaTime(value: 1, timescale: 1))
        scene.last(0.05)
        scene.player.seek(to: MediaTime(value: 2, timescale: 1))
        scene.last(1)
      }
      scene.player.play()
      try scene.waitUntil(5)
      // It fades in for 240 frames, which do not name themselves.
      let runs = scene.runs(0)
      #expect(runs.last.map { 96_000...96_300 ~= $0.lowerBound } == true, "\(runs)")
    }
  }

  /// Such a server answers first, and then goes past what the answer has made the player write.
  @Test(arguments: [2.3, 4])
  func `a server that answers before it makes up for a stop loses nothing`(seconds: Double)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio)
      scene.player.play()
      try scene.waitUntil(1.3)
      scene.stop(for: seconds, devicesLastFor: 0.2)
      try scene.waitUntil(6)
      let account = scene.account(0)
      print("fault: stopped for \(seconds) s, its devices late | PulseAudio | \(account.summary)")
      #expect(account.lost == 0, "\(account)")
      // What is heard until the server is stopped, which has gone into the middle of what came too late.
      #expect(account.repeated <= 4_800, "\(account)")
    }
  }

  /// What is asked while the server is stopped is answered as though a write took as long: the pause began when all
  /// that the server had would have been heard, and that went with it.
  @Test func `a server that was stopped, and goes right behind a pause, loses nothing`()
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio)
      scene.player.play()
      try scene.waitUntil(0.05)
      scene.signal(SIGSTOP)
      scene.last(0.1)
      scene.player.pause()
      scene.last(1.1)
      scene.signal(SIGCONT)
      scene.last(0.1)
      try scene.killAndPlayOn()
      let damage = Damage(scene.runs(0) + scene.runs(1))
      damage.report(.pulseAudio, "stopped for 1.2 s, paused, and killed 0.1 s later")
      #expect(damage.lost == 0, "\(scene.runs(0)) \(scene.runs(1))")
    }
  }

  /// What was asked while it was stopped was answered as though a write took as long: 30,841 frames that it still
  /// had counted as given up, and went with it.
  @Test func `a server that was stopped, and goes, loses nothing of what it still had`()
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio)
      let output = try #require(scene.renderer.output as? PulseAudioOutput)
      scene.player.play()
      try scene.waitUntil(0.5)
      // It has been given all that it takes.
      try wait(for: "a server that is full") {
        output.withLock {
          output.stream.map { $0.nextWrite - output.estimatedRead() } ?? 0
        } < 90_000
      }
      scene.signal(SIGSTOP)
      // The first ones are answered before it makes up for the time.
      for _ in 0..<8 { _ = output.withLock { output.ask(.clock) } }
      scene.last(1.19)
      scene.signal(SIGCONT)
      scene.last(0.1)
      #expect(!scene.events.sentences.contains("underrun"))
      try scene.killAndPlayOn()
      let account = Account(scene.captures[0].recording, scene.captures[1].recording)
      print("fault: stopped for 1.19 s, and killed 0.1 s later | PulseAudio | \(account.summary)")
      #expect(account.lost == 0, "\(account)")
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `a server that stops, is killed and comes back loses nothing`(kind: FaultScene.Kind)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(kind)
      scene.player.play()
      try scene.waitUntil(1.3)
      scene.stop(for: 0.8) { scene.kill() }
      try scene.events.wait("the loss") { $0 == "lost" }
      let held = scene.time
      try scene.restart()
      try scene.waitUntil(held + 1)
      let damage = Damage(scene.runs(0) + scene.runs(1))
      damage.report(kind, "stopped for 0.8 s, killed and restarted")
      #expect(damage.lost == 0, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(damage.repeated <= 48 * 600, "\(scene.runs(0)) \(scene.runs(1))")
    }
  }

  /// The clock goes on for a while, and by it alone the end had been heard: the last 40 ms were not.
  @Test(arguments: FaultScene.Kind.allCases)
  func `a server that stops right before the end is waited for`(kind: FaultScene.Kind)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(kind, seconds: 2)
      scene.player.play()
      try scene.waitUntil(1.96)
      scene.stop(for: 0.4)
      try scene.events.wait("the end") { $0 == "end" }
      scene.last(0.2)
      let account = scene.account(0)
      #expect(account.end == 96_000, "\(account)")
    }
  }
}
