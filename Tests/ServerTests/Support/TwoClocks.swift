// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers

/// Two sinks whose clocks run differently, and one synchronizer.
struct TwoClocks {
  private let servers: [PrivatePulseServer]
  private let captures: [MonitorCapture]
  private let renderers: [PulseAudioRenderer]
  private let synchronizer = RenderSynchronizer()

  /// The second one's clock runs `partsPerMillion` fast.
  init(partsPerMillion: Int) throws {
    servers = try [PrivatePulseServer(), PrivatePulseServer(partsPerMillion: partsPerMillion)]
    let places = try servers.map { server in
      let sink = try server.makeSink(format: TestSound.format)
      let capture = try MonitorCapture(
        connection: server.connect(), sink: sink, fragment: .milliseconds(2))
      let renderer = try server.withDoor { address throws(PulseError) in
        try PulseAudioRenderer(
          device: sink, server: address, applicationName: "attacca tests", mediaName: sink)
      }
      return (capture, renderer)
    }
    (captures, renderers) = (places.map(\.0), places.map(\.1))
    synchronizer.fade = .none
    for renderer in renderers { synchronizer.addRenderer(renderer) }
  }

  func stop() { for server in servers { server.stop() } }

  /// What is heard of both for some seconds.
  struct Result {
    /// Milliseconds that the second is ahead of the first, in each second.
    var apart: [Double] = []
    /// What was no sound, or not the next frame of it.
    var faults: [String] = []
    var underruns = 0
    /// What the second one's clock is told to be faster by.
    var partsPerMillion: Double?
  }

  func play(seconds: Int) throws -> Result {
    for renderer in renderers { TurningSound.play(on: renderer) }
    synchronizer.rate = 1
    var recordings = captures.map { TurningRecording($0) }
    let start = try captures[0].firstSoundFrame()
    while captures[0].frameCount < start + seconds * 48_000 {
      _ = try captures[0].frames(from: captures[0].frameCount + 4_800, count: 0)
      for i in recordings.indices { recordings[i].read() }
    }
    let (first, second) = (recordings[0].ahead, recordings[1].ahead)
    // The first and the last second are not whole.
    let numbers = first.keys.filter { second[$0] != nil }.sorted().dropFirst().dropLast()
    let result = Result(
      apart: numbers.map { 1e3 * (second[$0]! - first[$0]!) },
      faults: recordings.compactMap(\.fault),
      underruns: renderers.map(\.underrunCount).reduce(0, +),
      partsPerMillion: renderers[1].clock.partsPerMillion)
    synchronizer.rate = 0
    return result
  }
}
