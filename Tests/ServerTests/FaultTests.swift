// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestServers
import Testing

/// What is heard when the server or the device fails: nothing is lost, little is heard twice.
///
/// The lines that start with "fault:" are those of `docs/faults.md`.
@Suite(.serialized) struct FaultTests {
  private func report(_ kind: FaultScene.Kind, _ fault: String, _ damage: Damage) {
    print("fault: \(fault) | \(kind.rawValue) | \(damage)")
  }

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
      report(kind, "killed and restarted", damage)
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
      report(kind, "stopped for 1 s", damage)
      // PipeWire drops the quantum in which it was stopped by itself, 1,024 frames.
      #expect(damage.lost <= (kind == .pipeWire ? 2_048 : 0), "\(scene.runs(0))")
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
      scene.stop(for: 4) {
        // Without a word from the server the clock holds.
        let held = scene.time
        #expect(held < 1.3 + 2.6)
        #expect((0..<1_000).map { _ in scene.time }.allSatisfy { $0 == held })
      }
      try scene.waitUntil(6)
      let damage = Damage(scene.runs(0))
      report(kind, "stopped for 4 s", damage)
      // PipeWire drops the quantum in which it was stopped by itself, 1,024 frames.
      #expect(damage.lost <= (kind == .pipeWire ? 2_048 : 0), "\(scene.runs(0))")
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
      report(kind, "stopped for 0.8 s, killed and restarted", damage)
      #expect(damage.lost == 0, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(damage.repeated <= 48 * 600, "\(scene.runs(0)) \(scene.runs(1))")
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `a stream that the user moves to an equal sink goes on there`(kind: FaultScene.Kind)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(kind, sinks: [FaultScene.a, FaultScene.b])
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.moveStream(to: "b")
      #expect(scene.renderer.deviceName == "b")
      #expect(scene.player.outputDevice == "b")
      try scene.waitUntil(scene.time + 2)
      let damage = Damage(scene.runs(0) + scene.runs(1))
      report(kind, "moved to an equal sink", damage)
      // The server moves the stream, before anything is done here.
      #expect(damage.lost <= 480, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(damage.repeated <= 4_800, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(!scene.events.sentences.contains("device"))
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `the device is chosen while playing`(kind: FaultScene.Kind) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, sinks: [FaultScene.a, FaultScene.b])
      scene.player.play()
      try scene.waitUntil(1.3)
      scene.player.outputDevice = "b"
      try scene.events.wait("the route") { $0 == "route a>b override" }
      let time = scene.time
      #expect((1.3..<1.8).contains(time), "\(time)")
      try scene.waitUntil(3)
      scene.player.outputDevice = "nowhere"
      try scene.events.wait("the refusal") { $0 == "refused nowhere" }
      #expect(scene.player.outputDevice == "b")
      try scene.waitUntil(4)
      let damage = Damage(scene.runs(0) + scene.runs(1))
      report(kind, "another device chosen", damage)
      #expect(damage.lost == 0, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(damage.repeated <= 4_800, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(scene.renderer.underrunCount == 0)
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `a sink that goes leaves its stream to the one that is there`(kind: FaultScene.Kind)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(kind, sinks: [FaultScene.a, FaultScene.b])
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.server.control(["set-default-sink", "b"])
      try scene.server.removeSink("a")
      try scene.events.wait("the route") { $0 == "route a>b oldDeviceUnavailable" }
      #expect(scene.player.outputDevice == "a")
      let held = scene.time
      try scene.waitUntil(held + 1)
      // And it comes back.
      _ = try scene.server.makeSink(named: "a", format: FaultScene.a.format)
      try scene.listen(to: FaultScene.a)
      try scene.events.wait("the way back") { $0 == "route b>a newDeviceAvailable" }
      try scene.waitUntil(held + 3)
      let first = Damage(scene.runs(0) + scene.runs(1))
      let second = Damage(scene.runs(1) + scene.runs(2))
      report(kind, "sink removed, another is there", first)
      report(kind, "sink back", second)
      // The last fragment of a monitor that goes with its sink is not delivered to who records it;
      // PipeWire drops what its graph had taken, and says up to a second later that it did.
      #expect(
        first.lost <= (kind == .pulseAudio ? 480 : 4_096), "\(scene.runs(0)) \(scene.runs(1))")
      #expect(first.repeated <= 48 * 600, "\(scene.runs(0)) \(scene.runs(1))")
    }
  }

  @Test func `the only sink that goes and comes back is waited for`() async throws {
    try await onOwnThread {
      // PipeWire always has a sink, if only one that goes nowhere.
      let scene = try FaultScene(.pulseAudio)
      scene.player.play()
      try scene.waitUntil(1.3)
      scene.gate.shut()
      try scene.server.removeSink("a")
      try scene.events.wait("the loss") { $0 == "lost" }
      let held = scene.time
      _ = try scene.server.makeSink(named: "a", format: FaultScene.a.format)
      try scene.listen(to: FaultScene.a)
      scene.gate.open()
      try scene.events.wait("the return") { $0 == "returned" }
      try scene.waitUntil(held + 1)
      let damage = Damage(scene.runs(0) + scene.runs(1))
      report(.pulseAudio, "the only sink removed, and back", damage)
      #expect(damage.lost == 0, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(damage.repeated <= 48 * 600, "\(scene.runs(0)) \(scene.runs(1))")
    }
  }

  /// The server ends the stream each time, and the connection lives.
  @Test func `the only sink may go and come back again and again`() async throws {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio)
      scene.player.play()
      try scene.waitUntil(0.8)
      for round in 1...8 {
        scene.gate.shut()
        try scene.server.removeSink("a")
        try scene.events.wait("loss \(round)", count: round) { $0 == "lost" }
        let held = scene.time
        _ = try scene.server.makeSink(named: "a", format: FaultScene.a.format)
        try scene.listen(to: FaultScene.a)
        scene.gate.open()
        try scene.events.wait("return \(round)", count: round) { $0 == "returned" }
        try scene.waitUntil(held + 0.4)
      }
      let runs = (0...8).flatMap { scene.runs($0) }
      let damage = Damage(runs)
      report(.pulseAudio, "the only sink removed, and back, 8 times", damage)
      #expect(damage.lost == 0, "\(runs)")
      #expect(damage.repeated <= 8 * 48 * 600, "\(runs)")
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `a stream without a wish follows the default`(kind: FaultScene.Kind) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, sinks: [FaultScene.a, FaultScene.b], device: nil)
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.server.control(["set-default-sink", "b"])
      try scene.events.wait("the route") { $0 == "route a>b override" }
      #expect(scene.player.outputDevice == nil)
      try scene.waitUntil(3.5)
      let damage = Damage(scene.runs(0) + scene.runs(1))
      report(kind, "another default", damage)
      // The server moves the stream, before anything is done here.
      #expect(damage.lost <= 480, "\(scene.runs(0)) \(scene.runs(1))")
      #expect(damage.repeated <= 4_800, "\(scene.runs(0)) \(scene.runs(1))")
    }
  }

  @Test func `a suspended sink interrupts, and its end resumes`() async throws {
    let kind = FaultScene.Kind.pulseAudio
    try await onOwnThread {
      let scene = try FaultScene(kind)
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.server.control(["suspend-sink", "a", "1"])
      try scene.events.wait("the interruption") { $0 == "interrupted deviceSuspended" }
      try scene.events.wait("the pause") { $0 == "rate 0" }
      let held = scene.time
      scene.last(0.5)
      #expect(scene.time == held)
      try scene.server.control(["suspend-sink", "a", "0"])
      try scene.events.wait("the end") { $0 == "uninterrupted deviceSuspended true" }
      try scene.waitUntil(held + 1.5)
      let damage = Damage(scene.runs(0))
      report(kind, "suspended", damage)
      #expect(damage.lost == 0, "\(scene.runs(0))")
      #expect(damage.repeated == 0, "\(scene.runs(0))")
    }
  }

  @Test func `PipeWire does not suspend a sink that plays`() async throws {
    try await onOwnThread {
      let scene = try FaultScene(.pipeWire, seconds: 6)
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.server.control(["suspend-sink", "a", "1"])
      try scene.waitUntil(3.5)
      let damage = Damage(scene.runs(0))
      report(.pipeWire, "suspended", damage)
      #expect(damage.lost == 0, "\(scene.runs(0))")
      #expect(!scene.events.sentences.contains { $0.hasPrefix("interrupted") })
    }
  }

  /// PipeWire lets a sink of 44,100 Hz run at its graph's 48,000, and says so: nothing is to change.
  @Test(arguments: [
    (FaultScene.Kind.pulseAudio, "c"), (.pulseAudio, "surround"), (.pipeWire, "surround"),
  ])
  func `a sink of another format is played on in its own`(kind: FaultScene.Kind, name: String)
    async throws
  {
    try await onOwnThread {
      let other = name == "c" ? FaultScene.c : FaultScene.surround
      for isUser in [true, false] {
        let scene = try FaultScene(kind, sinks: [FaultScene.a, other])
        scene.player.play()
        try scene.waitUntil(1.3)
        if isUser {
          try scene.moveStream(to: name)
        } else {
          scene.player.outputDevice = name
          try scene.events.wait("the route") { $0 == "route a>\(name) override" }
        }
        try scene.events.wait("the format") { $0 == "device" }
        #expect((1.3..<11).contains(scene.time), "\(scene.time)")
        #expect(scene.renderer.format == other.format)
        try scene.waitUntil(max(4, scene.time + 1))
        let heard = try #require(scene.runs(0).last).upperBound
        let sound = try #require(scene.sound(1))
        // Frames that the server has converted do not name themselves, but there are as many. PipeWire hands
        // on what it is to convert to six channels as it is, three frames in one.
        let each = 48_000 / Double(other.format.sampleRate)
        let first = kind == .pipeWire && isUser ? 3 : each
        let all = Double(sound.before) * first + Double(sound.since) * each
        let lost = sound.to - Double(heard) - all
        let what = "\(isUser ? "moved" : "switched") to \(other.format) | \(kind.rawValue)"
        print("fault: \(what) | \(lost) frames lost; \(heard), then \(sound)")
        // The ends of filters, and the first frames of fades, are silent, 64 at most. A move by the server
        // itself may lose a fragment between the two monitors.
        #expect(lost <= (isUser && kind == .pulseAudio ? 544 : 64), "\(sound)")
        #expect(lost >= -4_800, "frames heard again: \(sound)")
        #expect(sound.to > 3.5 * 48_000)
      }
    }
  }

  /// A short call is over before the stream is corked: PulseAudio ends it in another way then.
  @Test(arguments: [true, false])
  func `a phone call corks, and its end resumes unless the user has paused`(isLong: Bool)
    async throws
  {
    try await onOwnThread {
      // PipeWire 0.3.65 has no such module.
      let scene = try FaultScene(.pulseAudio)
      try scene.server.control([
        "load-module", "module-role-cork", "trigger_roles=phone", "cork_roles=no_role",
      ])
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.call {
        try scene.events.wait("the interruption") { $0 == "interrupted policy" }
        try scene.events.wait("the pause") { $0 == "rate 0" }
        if isLong { scene.last(0.5) }
      }
      try scene.events.wait("the end") { $0 == "uninterrupted policy true" }
      try scene.waitUntil(2.3)
      let damage = Damage(scene.runs(0))
      report(.pulseAudio, "corked for a \(isLong ? "" : "short ")call", damage)
      #expect(damage.lost == 0, "\(scene.runs(0))")
      #expect(damage.repeated <= 48 * 600, "\(scene.runs(0))")
      try scene.call {
        try scene.events.wait("the second interruption", count: 2) { $0 == "interrupted policy" }
        try scene.events.wait("the second pause", count: 2) { $0 == "rate 0" }
        scene.player.pause()
      }
      try scene.events.wait("the end") { $0 == "uninterrupted policy false" }
      #expect(scene.player.rate == 0)
    }
  }
}
