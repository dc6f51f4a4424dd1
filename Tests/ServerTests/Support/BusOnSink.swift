// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers

/// A bus on a sink of its own, and what the sink's monitor hears.
///
/// Everything that waits blocks its thread: use it `onOwnThread`.
final class BusOnSink {
  let bus: PulseAudioBus
  let capture: MonitorCapture
  // Two: without optimization sums of edits take as much as two players.
  private let seat = Seat(taking: 2)

  init(_ server: PrivateServer, latency: Latency = .responsive) throws {
    let sink = try server.makeSink(format: TestSound.format, rewinds: TestedServer.rewinds)
    seat.leave { [server, sink] in
      do { try server.removeSink(sink) } catch { print("\(sink) stays: \(error)") }
    }
    capture = try MonitorCapture(
      connection: server.connect(), sink: sink, format: TestSound.format,
      fragment: .milliseconds(10))
    bus = try server.withDoor { address throws(PulseError) in
      try PulseAudioBus(
        device: sink, server: address, latency: latency, applicationName: "attacca tests \(sink)",
        mediaName: sink)
    }
  }

  /// Another voice, which plays `numbers(in: channel)` once it is told to.
  func makePlayer(in channel: Int, fade: Fade = .standard) -> SampleBufferPlayer {
    let player = SampleBufferPlayer(renderer: bus.makeRenderer(), fade: fade)
    player.playlist.append(contentsOf: [PlaylistItem(Self.numbers(in: channel))])
    return player
  }

  /// 20 s of frames whose numbers from 1 on are heard in `channel` of two, silence in the other.
  static func numbers(in channel: Int) -> GeneratorSource {
    GeneratorSource(name: "numbers", format: TestSound.format, frameCount: 960_000) {
      samples, frame in
      samples.update(repeating: 0)
      for i in 0..<samples.count / 2 {
        samples[2 * i + channel] = Float(frame + Int64(i) + 1) / Float(Heard.frameLimit)
      }
    }
  }

  /// Waits until the monitor has heard `frames` frames more.
  func listen(frames: Int) throws {
    _ = try capture.frames(from: capture.frameCount + frames, count: 0)
  }

  /// Waits until `isTrue`, looked at whenever another 10 ms have been recorded; 10 s at most.
  func wait(_ what: String, until isTrue: () -> Bool) throws {
    for _ in 0..<1_000 {
      if isTrue() { return }
      try listen(frames: 480)
    }
    throw Unmet("\(what) within 10 s")
  }

  /// The numbers heard in `channel` from its first sound in frame `start` of the recording, or behind it, to
  /// its last.
  func heard(in channel: Int, from start: Int = 0) -> [Int] {
    let recording = capture.recording
    let numbers = stride(from: 2 * start + channel, to: recording.count, by: 2).map {
      Int((recording[$0] * Float(Heard.frameLimit)).rounded())
    }
    guard let first = numbers.firstIndex(where: { $0 != 0 }),
      let last = numbers.lastIndex(where: { $0 != 0 })
    else { return [] }
    return Array(numbers[first...last])
  }
}
