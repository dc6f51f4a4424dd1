// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import SampleBuffers
import TestServers
import Testing

/// A pause right behind a start on a null sink that rewinds, which takes up to 2 s of a stream at once then.
@Suite struct PauseBehindStartTests {
  /// Milliseconds of media time from a start to the pause behind it.
  ///
  /// Of the first 8,184 frames that the sink takes its monitor has all, also what is given back.
  private static let times = [177, 178, 179, 180, 200, 250, 400, 800]

  /// What a sink has given back PulseAudio plays of a corked stream, unless it gives something back at the cork, too.
  ///
  /// That is `pa_sink_input_peek` (16.1). Of blocks of 0.5 ms, for which another stream asks before each pause, it had
  /// nothing left in 5 of 48 pauses, and up to 51,800 frames were heard behind one.
  @Test(.enabled(if: !TestedServer.isPipeWire))
  func `is silent where the sink has nothing to give back`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let server = try TestedServer.shared
      let seat = Seat()
      let sink = try server.makeSink(format: TestSound.format, rewinds: true)
      seat.leave { [server, sink] in
        do { try server.removeSink(sink) } catch { print("\(sink) stays: \(error)") }
      }
      let capture = try MonitorCapture(
        connection: server.connect(), sink: sink, fragment: .seconds(2))
      for (number, time) in Self.times.enumerated() {
        let path = try sound.numbered(number + 1, frames: 5 * 48_000)
        try Self.startAndPause(path, after: time, on: sink)
      }
      _ = try capture.frames(from: capture.frameCount + 2 * 96_000, count: 0)
      let heard = Heard.sound(capture.recording)
      let items = heard.map { if case .frames(let item, _) = $0 { item } else { 0 } }
      #expect(items == Array(1...Self.times.count), "\(Heard.trimmed(capture.recording))")
    }
  }

  /// Plays the file at `path`, and pauses it after `time` milliseconds, until all is over that the sink took.
  private static func startAndPause(_ path: String, after time: Int, on sink: String) throws {
    let server = try TestedServer.shared
    let renderer = try server.makeRenderer(on: sink, latency: .responsive)
    let player = SampleBufferPlayer(renderer: renderer, fade: .none)
    player.playlist.append(PlaylistItem(path: path))
    let began = HostTime.now()
    player.play()
    try wait(for: "the start") {
      player.synchronizer.currentTime().seconds < 0.1
    }
    let other = try PlaybackStream(
      connection: server.connect(), sink: sink,
      latency: Latency(targetMilliseconds: 3, requestMilliseconds: 1), mediaName: "short blocks",
      events: NoEvents())
    defer { other.close() }
    try wait(for: "\(time) ms of the item") {
      player.synchronizer.currentTime().seconds * 1_000 < Double(time)
    }
    player.pause()
    try wait(for: "the end of what the sink took") { HostTime.now() < began + 1_400_000_000 }
  }

  private final class NoEvents: PlaybackStreamEvents {
    func framesRequested(_ frames: Int, by stream: PlaybackStream) {}
    func failed(_ error: PulseError, on stream: PlaybackStream) {}
  }
}
