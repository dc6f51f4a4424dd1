// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import SampleBuffers
import TestServers
import Testing

@Suite struct MoveTests {
  @Test func `a stream that the user moves to another sink says so and plays on there`()
    async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(1, frames: 10 * 48_000)])
      let other = try playback.server.makeSink(
        format: AudioFormat(sampleRate: 44_100, layout: .mono))
      playback.player.play()
      try playback.waitUntilHeard(frame: 20_000)
      let input = try SinkInput.all(of: playback)
      try playback.server.control(["move-sink-input", "\(input[0].index)", other])
      try playback.events.wait("the other output") { $0 == "device" }
      let now = Int(playback.player.synchronizer.currentTime().seconds * 48_000)
      try playback.waitUntilHeard(frame: now + 40_000)
      #expect(playback.renderer.status != .failed)
      playback.player.stop()
      try playback.server.removeSink(other)
    }
  }

  static let sinks = (TestedServer.isPipeWire ? [false] : [false, true]).flatMap { rewinds in
    [Latency.responsive, .powerSaving, .low].map { (rewinds, $0) }
  }

  /// Both sinks are as long in their blocks as they are without a recorder that makes them short.
  ///
  /// PulseAudio drops as many frames as the new sink has latency, which is 50 ms at most, and has a sink that
  /// rewinds take them back; what the old sink has not played it plays on the new one.
  @Test(arguments: sinks)
  func `a move to an equal sink loses what the server drops at most, and goes on in order`(
    rewinds: Bool, latency: Latency
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 6 * 48_000
      let fragment: Duration = TestedServer.isPipeWire ? .milliseconds(10) : .seconds(2)
      let server = try TestedServer.shared
      let other = try server.makeSink(rewinds: rewinds)
      let capture = try MonitorCapture(
        connection: server.connect(), sink: other, fragment: fragment)
      let playback = try ServerPlayback(
        server, [sound.numbered(1, frames: length)], latency: latency, fade: .none,
        rewinds: rewinds, fragment: fragment)
      playback.player.play()
      // A sink that has just come is one that a stream is moved to because it is there.
      try playback.waitUntilHeard(frame: 120_000)
      if rewinds { try waitInsideBlock(of: other, playback) }
      let input = try SinkInput.all(of: playback)
      try server.control(["move-sink-input", "\(input[0].index)", other])
      try playback.events.wait("the route") { $0 == "route \(playback.sink)>\(other) override" }
      let before = try playback.finish()
      _ = try capture.frames(from: capture.frameCount + 4_800, count: 0)
      let after = capture.recording
      capture.stop()
      try server.removeSink(other)
      // What a sink that rewinds had taken of silence at a start its monitor may have instead.
      let unheard = rewinds ? 8_184 + 240 : 0
      let account = Account(before, after, from: unheard)
      let dropped = TestedServer.isPipeWire ? 4_096 : rewinds ? 480 : 2_400
      #expect(account.lost <= dropped, "\(account)")
      #expect(account.end == length, "\(account)")
      #expect(account.repeated < 4_800, "\(account)")
    }
  }

  /// Waits until `sink`, which is idle, is far from both ends of its block of 2 s.
  ///
  /// Its monitor has the first 8,184 frames of a block of silence already and does not hear what takes their
  /// place: of a move within 170 ms of the block's beginning a recording lacked 7,047 frames that the
  /// server played.
  private func waitInsideBlock(of sink: String, _ playback: ServerPlayback) throws {
    let connection = try playback.server.connect()
    try playback.wait("the middle of a block of \(sink)") {
      let rest = try connection.sink(named: sink).latency
      return rest > .milliseconds(300) && rest < .milliseconds(1_700)
    }
  }
}
