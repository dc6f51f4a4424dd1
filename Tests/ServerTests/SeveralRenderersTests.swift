// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers
import Testing

@Suite struct SeveralRenderersOnServerTests {
  @Test func `two sinks start together, and stay so`() async throws {
    try await onOwnThread {
      let seats = Seat(taking: Seat.all)
      defer { withExtendedLifetime(seats) {} }
      let server = try TestedServer.shared
      let sinks = try [
        server.makeSink(format: TestSound.format), server.makeSink(format: TestSound.format),
      ]
      defer {
        for sink in sinks {
          do { try server.removeSink(sink) } catch { Issue.record("\(sink) stays: \(error)") }
        }
      }
      let places = try sinks.map { try RendererOnSink(server, sink: $0) }
      let synchronizer = RenderSynchronizer()
      synchronizer.fade = .none
      for place in places { synchronizer.addRenderer(place.renderer) }
      synchronizer.rate = 1
      // One has something long before the other: it waits.
      places[0].enqueue(seconds: 5)
      try places[0].listen(frames: 24_000)
      #expect(places[0].capture.recording.allSatisfy { $0 == 0 })
      places[1].enqueue(seconds: 5)
      for place in places { try place.listen(until: 3 * 48_000) }
      let begins = try places.map { try $0.begin() }
      let apart = abs(begins[0] - begins[1]) / 1e6
      print("two sinks: \(apart) ms apart")
      #expect(apart <= 2 + TestedServer.cycle)
      #expect(places.allSatisfy { $0.renderer.underrunCount == 0 })
    }
  }
}

extension RendererOnSink {
  /// The host time at which frame 0 was heard, in nanoseconds.
  fileprivate func begin() throws -> Double {
    let first = try capture.firstSoundFrame()
    let number = capture.recording[2 * first] * Float(Heard.frameLimit) - 1
    return beginOfRecording + (Double(first) - Double(number.rounded())) * 1e9 / 48_000
  }

  /// Waits until `frames` frames of sound have been heard; ten seconds at most.
  fileprivate func listen(until frames: Int) throws {
    for _ in 0..<100 {
      try listen(frames: 4_800)
      let last = capture.recording.suffix(2).first ?? 0
      if last * Float(Heard.frameLimit) > Float(frames) { return }
    }
    throw Unmet("frame \(frames)")
  }
}
