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
      try playback.move(to: other)
      try playback.events.wait("the other output") { $0 == "device" }
      // Also where the sink has just come: it is chosen from now on, though the wished one is there.
      #expect(playback.player.outputDevice == other)
      let now = Int(playback.player.synchronizer.currentTime().seconds * 48_000)
      try playback.waitUntilHeard(frame: now + 40_000)
      #expect(playback.renderer.status != .failed)
      playback.player.stop()
      try playback.server.removeSink(other)
    }
  }

  /// Both sinks are as long in their blocks as they are without a recorder that makes them short.
  ///
  /// PulseAudio drops as many frames as the new sink has latency, which is 50 ms at most, and has a sink that
  /// rewinds take them back; what the old sink has not played it plays on the new one.
  @Test(arguments: SinkTests.places)
  func `a move to an equal sink loses what the server drops at most, and goes on in order`(
    place: SinkTests.Place
  ) async throws {
    let rewinds = place.rewinds
    try await onOwnThread {
      let sound = try TestSound()
      let length = 6 * 48_000
      let fragment: Duration = TestedServer.isPipeWire ? .milliseconds(10) : .seconds(2)
      let server = try TestedServer.shared
      let other = try server.makeSink(rewinds: rewinds)
      let capture = try MonitorCapture(
        connection: server.connect(), sink: other, fragment: fragment)
      let playback = try ServerPlayback(
        server, [sound.numbered(1, frames: length)], latency: place.latency, fade: .none,
        rewinds: rewinds, fragment: fragment)
      // It stays where it is.
      let neighbour = place.isBeside ? try SilentStream(on: playback) : nil
      defer { neighbour?.close() }
      playback.player.play()
      // A sink that has just come is one that a stream is moved to because it is there.
      try playback.waitUntilHeard(frame: 120_000)
      if rewinds { try waitInsideBlock(of: other, playback) }
      try playback.move(to: other)
      try playback.events.wait("the route") { $0 == "route \(playback.sink)>\(other) override" }
      let before = try playback.finish()
      _ = try capture.frames(from: capture.frameCount + 4_800, count: 0)
      let after = capture.recording
      capture.stop()
      try server.removeSink(other)
      let account = Account(before, after, from: place.unheard)
      let dropped = TestedServer.isPipeWire ? 4_096 : rewinds ? 480 : 2_400
      // A stream that goes back begins anew. A machine that stood still for 0.2 s had one of 60 ms do so: 6,742 frames
      // were played, and the monitor did not hear them.
      let unheard = playback.renderer.underrunCount * place.unheard
      #expect(account.lost <= dropped + unheard, "\(account), \(playback.events.sentences)")
      #expect(account.end == length, "\(account)")
      #expect(account.repeated < 4_800, "\(account)")
    }
  }

  /// PipeWire read a stream that it had linked to a sink of another format 0.7 s ahead, and dropped that when
  /// another stream took over: media time went ahead by as much, and nobody heard it.
  @Test
  func `a move to a sink of another format and back passes over no more than the time that passes`()
    async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(1, frames: 10 * 48_000)])
      let (server, sink) = (playback.server, playback.sink)
      let other = try server.makeSink(format: FaultScene.surround.format)
      playback.player.play()
      try playback.waitUntilHeard(frame: 24_000)
      for (place, count) in [(other, 1), (sink, 2)] {
        try playback.move(to: place)
        try playback.events.wait("another output", count: count) { $0 == "device" }
        try playback.listen(frames: 24_000)
      }
      playback.player.stop()
      let heard = Heard.read(playback.capture.recording)
      try server.removeSink(other)
      // What is long enough to be no part of a fade. The stream that comes back plays on, converted, until one of
      // the sink's own format takes over.
      let long = heard.indices.filter {
        if case .frames(1, let frames) = heard[$0] { frames.count > 1_000 } else { false }
      }
      guard long.count >= 2 else { throw Unmet("a stretch on each side: \(heard)") }
      var lost = 0
      for (old, new) in zip(long, long.dropFirst()) {
        guard case .frames(1, let before) = heard[old], case .frames(1, let after) = heard[new]
        else { continue }
        lost += after.lowerBound - before.upperBound
        lost -= heard[old + 1..<new].reduce(0) { $0 + $1.count }
      }
      print("moved to another format and back: \(lost) frames lost")
      // Until a stream is linked, and one of the sink's own format is, nothing plays: some quanta each.
      #expect(lost <= 4_800 && lost >= -28_800, "\(heard)")
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
