// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// A bus of two voices whose server or sink fails: both go on, as a renderer alone does.
@Suite(.serialized) struct BusFaultTests {
  /// Two voices on a scene's sink, each in a channel of its own.
  private struct Voices {
    let scene: FaultScene
    let bus: PulseAudioBus
    let players: [SampleBufferPlayer]
    let events: [EventLog]

    init(
      _ kind: FaultScene.Kind, sinks: [(name: String, format: AudioFormat)] = [FaultScene.a]
    ) throws {
      scene = try FaultScene(kind, sinks: sinks)
      bus = try PulseAudioBus(
        device: "a", server: scene.gate.address, applicationName: "attacca tests",
        mediaName: "voices")
      players = [0, 1].map { [bus] channel in
        let player = SampleBufferPlayer(renderer: bus.makeRenderer())
        player.playlist.append(PlaylistItem(BusOnSink.numbers(in: channel)))
        return player
      }
      events = players.map { EventLog($0.events) }
    }

    /// Waits until the recording that began last has so many frames more.
    func listen(seconds: Double) throws {
      let capture = scene.captures.last!
      _ = try capture.frames(from: capture.frameCount + Int(seconds * 48_000), count: 0)
    }

    /// Has both play, the second one some time behind the first.
    func play() throws {
      players[0].play()
      try listen(seconds: 0.7)
      players[1].play()
      try listen(seconds: 1.5)
    }

    func wait(_ what: String, count: Int = 1, _ event: (String) -> Bool) throws {
      for log in events { try log.wait(what, count: count, event) }
    }

    /// The frames of a voice that were heard, in all recordings: runs of more than a few.
    func runs(of channel: Int) -> [Range<Int>] {
      scene.captures.flatMap { capture -> [Range<Int>] in
        let recording = capture.recording
        var runs: [Range<Int>] = []
        for i in stride(from: channel, to: recording.count, by: 2) {
          let number = recording[i] * Float(Heard.frameLimit)
          guard number >= 1, number == number.rounded() else { continue }
          let frame = Int(number) - 1
          if let last = runs.last, last.upperBound == frame {
            runs[runs.count - 1] = last.lowerBound..<(frame + 1)
          } else {
            runs.append(frame..<(frame + 1))
          }
        }
        return runs.filter { $0.count > 8 }
      }
    }

    func expectBoth(_ fault: String, _ kind: FaultScene.Kind, rounds: Int = 1) {
      for channel in 0...1 {
        let runs = runs(of: channel)
        let damage = Damage(runs)
        print("fault: \(fault), voice \(channel) of a bus | \(kind.rawValue) | \(damage)")
        #expect(damage.lost == 0, "voice \(channel): \(runs)")
        #expect(damage.repeated <= rounds * 48 * 600, "voice \(channel): \(runs)")
        #expect(players[channel].renderer.underrunCount == 0)
        #expect(players[channel].rate == 1)
      }
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `a server that is killed and comes back has both voices go on where they were`(
    kind: FaultScene.Kind
  ) async throws {
    try await onOwnThread {
      let voices = try Voices(kind)
      try voices.play()
      voices.scene.kill()
      try voices.wait("the loss") { $0 == "lost" }
      try voices.scene.restart()
      try voices.wait("the return") { $0 == "returned" }
      try voices.listen(seconds: 2)
      voices.expectBoth("killed and restarted", kind)
    }
  }

  @Test func `the only sink that goes and comes back is waited for by both voices`() async throws {
    try await onOwnThread {
      // PipeWire always has a sink, if only one that goes nowhere.
      let voices = try Voices(.pulseAudio)
      try voices.play()
      for round in 1...3 {
        voices.scene.gate.shut()
        try voices.scene.server.removeSink(FaultScene.a.name)
        try voices.wait("the loss", count: round) { $0 == "lost" }
        _ = try voices.scene.server.makeSink(
          named: FaultScene.a.name, format: FaultScene.a.format)
        try voices.scene.listen(to: FaultScene.a)
        voices.scene.gate.open()
        try voices.wait("the return", count: round) { $0 == "returned" }
        try voices.listen(seconds: 1.5)
      }
      voices.expectBoth("the only sink removed, and back, 3 times", .pulseAudio, rounds: 3)
    }
  }

  @Test(arguments: FaultScene.Kind.allCases)
  func `another device takes both voices over`(kind: FaultScene.Kind) async throws {
    try await onOwnThread {
      let voices = try Voices(kind, sinks: [FaultScene.a, FaultScene.b])
      try voices.play()
      voices.bus.outputDevice = "b"
      try voices.wait("the route") { $0 == "route a>b override" }
      try voices.listen(seconds: 2)
      voices.expectBoth("another device chosen", kind)
    }
  }
}
