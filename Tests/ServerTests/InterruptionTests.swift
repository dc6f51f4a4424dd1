// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import MediaTime
@testable import PulseDevice
@testable import Rendering
import Synchronization
import TestServers
import Testing

/// What is heard of what interrupts, and of its end.
@Suite(.serialized) struct InterruptionTests {
  @Test func `a suspended sink interrupts, and its end resumes`() async throws {
    let kind = FaultScene.Kind.pulseAudio
    try await onOwnThread {
      let scene = try FaultScene(kind)
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.server.control(["suspend-sink", "a", "1"])
      try scene.events.wait("the interruption") { $0 == "interrupted deviceSuspended" }
      // "rate 0" tells of the command. Until the server's message has been read time runs on: 0.16 s here, which it
      // goes back by no more.
      let output = try #require(scene.renderer.output as? PulseAudioOutput)
      try wait(for: "the pause") { output.withLock { output.state.isRunning } }
      let held = scene.time
      scene.last(0.5)
      #expect(scene.time == held)
      try scene.server.control(["suspend-sink", "a", "0"])
      try scene.events.wait("the end") { $0 == "uninterrupted deviceSuspended true" }
      try scene.waitUntil(held + 1.5)
      let damage = Damage(scene.runs(0))
      damage.report(kind, "suspended")
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
      damage.report(.pipeWire, "suspended")
      #expect(damage.lost == 0, "\(scene.runs(0))")
      #expect(!scene.events.sentences.contains { $0.hasPrefix("interrupted") })
    }
  }

  /// A short call is over before the stream is corked: PulseAudio ends it in another way then.
  @Test(arguments: [true, false])
  func `a phone call corks, and its end resumes unless the user has paused`(isLong: Bool)
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio)
      try scene.corkDuringCalls()
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.call {
        try scene.waitUntilCorked()
        if isLong { scene.last(0.5) }
      }
      try scene.events.wait("the end") { $0 == "uninterrupted policy true" }
      try scene.waitUntil(2.3)
      let damage = Damage(scene.runs(0))
      damage.report(.pulseAudio, "corked for a \(isLong ? "" : "short ")call")
      #expect(damage.lost == 0, "\(scene.runs(0))")
      #expect(damage.repeated <= 48 * 600, "\(scene.runs(0))")
      try scene.call {
        try scene.waitUntilCorked(times: 2)
        scene.player.pause()
      }
      try scene.events.wait("the end") { $0 == "uninterrupted policy false" }
      #expect(scene.player.rate == 0)
    }
  }

  /// A stream counted as running while a call had it corked, where nobody has paused.
  @Test func `a phone call holds what nobody pauses, and its end has it go on`() async throws {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio)
      try scene.corkDuringCalls()
      let place = try RendererOnSink(scene.server, sink: "a")
      let output = try #require(place.renderer.output as? PulseAudioOutput)
      let synchronizer = RenderSynchronizer()
      synchronizer.addRenderer(place.renderer)
      place.enqueue(seconds: 8)
      synchronizer.rate = 1
      try place.listen(frames: 48_000)
      func state() -> PulseDeviceState { output.withLock { output.state } }
      try scene.call {
        try wait(for: "corked: \(state())") { !state().isWithheld }
        let held = synchronizer.currentTime()
        scene.last(0.5)
        #expect(state().isWithheld)
        #expect(synchronizer.currentTime() == held)
      }
      try wait(for: "running: \(state())") { state().uncorked == nil }
      try place.listen(frames: 48_000)
      let account = Account(place.capture.recording)
      print("fault: a call, nobody pauses | PulseAudio | \(account.summary)")
      #expect(account.lost == 0, "\(account)")
      // The last report of a stream that has just begun may be as old.
      #expect(account.repeated <= 48_000, "\(account)")
    }
  }

  /// The wish to have a stream corked outlived the stream: behind a pause the next one was silent for good.
  @Test func `another device that is chosen during a phone call plays at once, and behind a pause`()
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio, seconds: 20, sinks: [FaultScene.a, FaultScene.b])
      try scene.corkDuringCalls()
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.call {
        try scene.waitUntilCorked()
        scene.player.outputDevice = "b"
        try scene.events.wait("the end") { $0 == "uninterrupted policy true" }
        try scene.waitUntil(scene.time + 0.5)
        scene.player.pause()
        try scene.events.wait("another pause", count: 2) { $0 == "rate 0" }
        scene.renderer.volume = 0.5
        scene.player.play()
        try scene.waitUntil(scene.time + 0.5)
        scene.renderer.volume = 1
        try scene.waitUntil(scene.time + 1)
      }
      let last = try #require(scene.runs(1).last)
      #expect(last.count > 24_000, "\(scene.runs(1))")
      // Nothing of the call comes with a third stream.
      scene.player.outputDevice = "a"
      try scene.waitUntil(scene.time + 1)
      #expect(try #require(scene.runs(0).last).lowerBound > last.lowerBound, "\(scene.runs(0))")
    }
  }

  /// The server had muted the stream for the call, and the one that was opened in its place was opened muted.
  @Test func `a server that dies during a phone call is heard again once it is back`() async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio)
      try scene.corkDuringCalls()
      scene.player.play()
      try scene.waitUntil(1.3)
      try scene.call {
        try scene.waitUntilCorked()
        try scene.events.wait("the mute") { $0.hasPrefix("volume ") && $0.hasSuffix("true") }
        scene.kill()
        try scene.events.wait("the end") { $0 == "uninterrupted policy true" }
      }
      let held = scene.time
      try scene.restart()
      try scene.waitUntil(held + 1)
      #expect(scene.runs(1).contains { $0.count > 24_000 }, "\(scene.runs(1))")
    }
  }

  /// Has `body` done while the scene's sink, or the server's policy, has what plays there stand still.
  private func interrupted(
    by cause: Interruption, _ scene: FaultScene, _ body: () throws -> Void
  ) throws {
    guard cause == .deviceSuspended else { return try scene.call(body) }
    try scene.server.control(["suspend-sink", "a", "1"])
    try body()
    try scene.server.control(["suspend-sink", "a", "0"])
  }

  /// All of it was with the server, and its end was told when that was given it again; nobody heard the last second.
  @Test(arguments: [Interruption.policy, .deviceSuspended])
  func `media that ends while its device stands still is heard to its end, which is told then`(
    cause: Interruption
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio)
      try scene.corkDuringCalls()
      let place = try RendererOnSink(scene.server, sink: "a")
      let told = Mutex<(isInterrupted: Bool, isDrained: Bool)>((false, false))
      let observation = place.renderer.rendererEvents.observe(on: DispatchQueue(label: "events")) {
        if case .interruptionBegan = $0 { told.withLock { $0.isInterrupted = true } }
        if case .drained = $0 { told.withLock { $0.isDrained = true } }
      }
      defer { observation.cancel() }
      let synchronizer = RenderSynchronizer()
      synchronizer.addRenderer(place.renderer)
      place.enqueue(seconds: 2)
      place.renderer.finishEnqueuing()
      synchronizer.rate = 1
      try place.listen(frames: 48_000)
      try interrupted(by: cause, scene) {
        try wait(for: "the interruption") { !told.withLock { $0.isInterrupted } }
        scene.last(0.8)
        #expect(!told.withLock { $0.isDrained })
        #expect(synchronizer.currentTime() < MediaTime(value: 2, timescale: 1))
      }
      try wait(for: "the end") { !told.withLock { $0.isDrained } }
      try place.listen(frames: 4_800)
      let account = Account(place.capture.recording)
      print("fault: \(cause) at the end | PulseAudio | \(account.summary)")
      // The monitor of a sink that is suspended keeps the last fragment of 2 ms, and the stream goes on behind it.
      #expect(account.lost <= (cause == .deviceSuspended ? 96 : 0), "\(account)")
      #expect(account.end == 96_000, "\(account)")
    }
  }

  @Test(arguments: [Interruption.policy, .deviceSuspended])
  func `a list whose last second is interrupted ends once that has been heard`(
    cause: Interruption
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio, seconds: 3)
      try scene.corkDuringCalls()
      scene.player.play()
      try scene.waitUntil(2)
      try interrupted(by: cause, scene) {
        try scene.events.wait("the interruption") { $0 == "interrupted \(cause)" }
        try scene.events.wait("the pause") { $0 == "rate 0" }
        scene.last(0.8)
        #expect(!scene.events.sentences.contains("end"))
        #expect(scene.player.currentItem != nil)
      }
      try scene.events.wait("the end") { $0 == "end" }
      try wait(for: "the last frame, after \(scene.account(0))") {
        scene.account(0).end < 3 * 48_000
      }
      #expect(scene.account(0).lost == 0, "\(scene.account(0))")
    }
  }
}
