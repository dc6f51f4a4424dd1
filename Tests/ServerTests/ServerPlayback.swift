// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import PulseAudio
import TestServers

/// A player on a sink of its own, and what the sink's monitor hears.
struct ServerPlayback: Sendable {
  let sink: String
  let capture: MonitorCapture
  let renderer: PulseAudioRenderer
  let player: SampleBufferPlayer

  init(
    _ server: PrivateServer, _ paths: [String],
    format: AudioFormat = AudioFormat(sampleRate: 48_000, layout: .stereo),
    latency: Latency = .powerSaving, fade: Fade = .standard
  ) throws {
    sink = try server.makeSink(format: format)
    capture = try MonitorCapture(connection: server.connect(), sink: sink, format: format)
    renderer = try PulseAudioRenderer(
      device: sink, server: server.address, latency: latency, applicationName: "attacca tests")
    player = SampleBufferPlayer(renderer: renderer, fade: fade)
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
  }

  /// Waits until media time has come to `frame` of the whole playlist.
  func waitUntilHeard(frame: Int64) async {
    let rate = Int32(renderer.format.sampleRate)
    await withCheckedContinuation { continuation in
      let once = Once(continuation)
      once.observation = player.synchronizer.addBoundaryTimeObserver(
        forTimes: [MediaTime(value: frame, timescale: rate)], queue: .global()
      ) { once.resume() }
    }
  }
}

/// Resumes a continuation once, and keeps the observation until then.
private final class Once: @unchecked Sendable {
  // @unchecked: written before the observer can fire, read by it once.
  private var continuation: CheckedContinuation<Void, Never>?
  var observation: TimeObservation?

  init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

  func resume() {
    continuation.take()?.resume()
    observation = nil
  }
}
