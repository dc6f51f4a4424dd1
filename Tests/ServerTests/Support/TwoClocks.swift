// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers

/// Two sinks whose clocks run differently, and one synchronizer.
struct TwoClocks {
  private let servers: [PrivatePulseServer]
  private let places: [RendererOnSink]
  private let synchronizer = RenderSynchronizer()

  /// The second one's clock runs `partsPerMillion` fast.
  init(partsPerMillion: Int) throws {
    servers = try [PrivatePulseServer(), PrivatePulseServer(partsPerMillion: partsPerMillion)]
    places = try servers.map {
      try RendererOnSink($0, sink: $0.makeSink(format: TestSound.format))
    }
    synchronizer.fade = .none
    for place in places { synchronizer.addRenderer(place.renderer) }
  }

  func stop() { for server in servers { server.stop() } }

  /// What is heard of both for some seconds.
  struct Result {
    /// Milliseconds that the second is ahead of the first, in each second.
    var apart: [Double] = []
    /// What was no sound, or not the next frame of it.
    var faults: [String] = []
    var underruns = 0
    var lateSplices = 0
    /// What the second one's clock is told to be faster by.
    var partsPerMillion: Double?
  }

  func play(seconds: Int) throws -> Result {
    for place in places { TurningSound.play(on: place.renderer) }
    synchronizer.rate = 1
    var recordings = places.map { TurningRecording($0.capture) }
    let start = try places[0].capture.firstSoundFrame()
    while places[0].capture.frameCount < start + seconds * 48_000 {
      try places[0].listen(frames: 4_800)
      for i in recordings.indices { recordings[i].read() }
    }
    let (first, second) = (recordings[0].ahead, recordings[1].ahead)
    // The first and the last second are not whole.
    let numbers = first.keys.filter { second[$0] != nil }.sorted().dropFirst().dropLast()
    let result = Result(
      apart: numbers.map { 1e3 * (second[$0]! - first[$0]!) },
      faults: zip(recordings, places).compactMap { recording, place in
        recording.fault.map { "\($0) (\(place.renderer.underrunCount) underruns)" }
      },
      underruns: places.map(\.renderer.underrunCount).reduce(0, +),
      lateSplices: places.map(\.renderer.lateSpliceCount).reduce(0, +),
      partsPerMillion: places[1].renderer.clock.partsPerMillion)
    synchronizer.rate = 0
    return result
  }
}
