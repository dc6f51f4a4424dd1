// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import MediaTime
@testable import PulseDevice
@testable import Rendering
import TestServers
import Testing

/// What is heard, and told, behind a server that was stopped.
@Suite struct StoppedServerTests {
  /// The interruption's pause was placed 2 x 0.18 s behind what a server that far away would have read since, while it
  /// read nothing: what lay before that was lost with the stream (chaos, SEED=306002).
  @Test func `a stream that is lost behind a rest of its sink goes on where that began`()
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio, seconds: 20)
      let far = try FarPlayer(scene, latency: .powerSaving)
      defer { far.stop() }
      let player = far.player
      player.play()
      scene.last(2)
      far.delay(toServer: 8, fromServer: 176)
      scene.last(1)
      try scene.server.control(["suspend-sink", "a", "1"])
      try wait(for: "the pause") { player.rate != 0 }
      scene.last(0.5)
      try scene.server.control(["suspend-sink", "a", "0"])
      try wait(for: "the end of the pause") { player.rate == 0 }
      far.delay(toServer: 0, fromServer: 0)
      far.cut()
      scene.last(3)
      // PulseAudio takes back all but one of the frames that the sink has not played.
      let damage = Damage(scene.runs(0), fade: 241)
      #expect(damage.lost == 0, "\(scene.runs(0))")
    }
  }

  /// It was played on at once from the last place that was told, as 16 questions were open: what was to be heard again
  /// came as much too late as the server had gone on since, and answers to what was asked before were counted by the
  /// new frames, 12,000 of which nobody heard.
  @Test func `a stream that goes back while 16 questions are open plays all of it again`()
    async throws
  {
    try await onOwnThread {
      let scene = try FaultScene(.pulseAudio, seconds: 20)
      let far = try FarPlayer(scene, latency: .balanced)
      defer { far.stop() }
      let output = far.output
      far.player.play()
      scene.last(1)
      far.delay(toServer: 60, fromServer: 60)
      scene.last(1)
      let again = try output.withLock {
        while output.ask(.clock) {}
        try #require(output.stream?.unansweredTimingRequests == 16)
        let again = output.knownHeard
        output.rewind(to: again)
        return Int(again.number)
      }
      scene.last(2)
      far.delay(toServer: 0, fromServer: 0)
      scene.last(1)
      let runs = scene.runs(0)
      let isAllThere = runs.count == 2 && runs[1].lowerBound == again && runs[1].count > 48_000
      #expect(isAllThere, "from \(again) on: \(runs)")
    }
  }

  /// Twice the time that the second answer took counted as the time until a pause could begin: one was heard 2.4 s
  /// later, with answers of 0.6 s, and chaos heard others up to 4 s later (SEED=56828).
  @Test(arguments: FaultScene.Kind.allCases)
  func `what is asked for while two answers are late is heard with the third`(
    kind: FaultScene.Kind
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, seconds: 20)
      let far = try FarPlayer(scene, latency: .powerSaving)
      defer { far.stop() }
      let (player, output) = (far.player, far.output)
      player.play()
      scene.last(3)
      far.delay(toServer: 600, fromServer: 0)
      let paused = Int(player.currentTime.seconds * 48_000)
      player.pause()
      try wait(for: "an answer that is late") {
        output.withLock { output.answerTimes == AnswerTimes() }
      }
      // The question behind it is on its way by then, for 0.6 s.
      scene.last(0.03)
      far.delay(toServer: 0, fromServer: 0)
      scene.last(4)
      let end = try #require(scene.runs(0).last?.upperBound)
      #expect((paused + 40_000..<paused + 86_400).contains(end), "from \(paused): \(scene.runs(0))")
    }
  }

  /// The clock went on for 3 s while PipeWire's server was stopped, and told as much too much of the next item, for
  /// three seconds.
  @Test func `the clock of a stream that stands still with its server holds`() async throws {
    try await onOwnThread {
      let scene = try FaultScene(.pipeWire, seconds: 20)
      scene.player.play()
      try scene.waitUntil(2)
      scene.signal(SIGSTOP)
      let stopped = scene.time
      scene.last(1.5)
      // A report is 0.95 s old at most when the next one is asked for, which is waited for.
      let held = scene.time
      #expect(held < stopped + 1.3)
      scene.last(1)
      #expect(scene.time == held)
      scene.signal(SIGCONT)
      scene.last(0.07)
      scene.player.seek(to: MediaTime(value: 8, timescale: 1))
      scene.last(1.5)
      let apart = try scene.captures[0].told(scene.time)
      #expect(abs(apart) < 0.1, "told \(apart) s ahead; \(scene.runs(0))")
    }
  }
}

extension MonitorCapture {
  /// Seconds by which media time `time` is ahead of the numbered frame that came last.
  fileprivate func told(_ time: Double) throws -> Double {
    let now = HostTime.now()
    let (samples, last) = (recording, arrivals.last)
    guard let last, let frame = samples.dropLast().last else { throw Unmet("a frame") }
    let age = (Double(now) - Double(last.hostTime)) / 1e9
    return time - age - Double(frame * Float(Heard.frameLimit)) / 48_000
  }
}
