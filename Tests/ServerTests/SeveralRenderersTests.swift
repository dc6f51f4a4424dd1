// SPDX-License-Identifier: Apache-2.0

import Attacca
import PulseAudio
import TestServers
import Testing

@Suite struct SeveralRenderersOnServerTests {
  /// A sink, what is heard of it, and a renderer on it.
  fileprivate struct Place {
    let capture: MonitorCapture
    let renderer: PulseAudioRenderer

    init(_ server: PrivateServer, _ sink: String) throws {
      capture = try MonitorCapture(
        connection: server.connect(), sink: sink, fragment: .milliseconds(2))
      renderer = try server.withDoor { address throws(PulseError) in
        try PulseAudioRenderer(
          device: sink, server: address, applicationName: "attacca tests", mediaName: sink)
      }
    }

    func enqueue(seconds: Int) {
      for second in 0..<seconds {
        let samples = TestSound.numbered(1, (48_000 * second)..<(48_000 * (second + 1)))
        let storage = FrameStorage(capacity: samples.count)
        for (i, sample) in samples.enumerated() { storage.samples[i] = sample }
        renderer.enqueue(
          SampleBuffer(
            storage: storage, format: TestSound.format, frameCount: 48_000,
            time: RationalTime(frames: Int64(48_000 * second), rate: 48_000)))
      }
    }

    /// The host time at which frame 0 was heard, in nanoseconds: a recorded frame can arrive late, but
    /// not early.
    func begin() throws -> Double {
      let zero = capture.arrivals.map {
        Double($0.hostTime) - Double($0.frame + $0.count) * 1e9 / 48_000
      }.min()
      let first = try capture.firstSoundFrame()
      let number = capture.recording[2 * first] * Float(Heard.frameLimit) - 1
      return try #require(zero) + (Double(first) - Double(number.rounded())) * 1e9 / 48_000
    }
  }

  @Test func `two sinks start together, and stay so`() async throws {
    try await onOwnThread {
      let seats = Seat(taking: 2)
      defer { withExtendedLifetime(seats) {} }
      let server = try PrivatePulseServer.shared
      let sinks = try [
        server.makeSink(format: TestSound.format), server.makeSink(format: TestSound.format),
      ]
      defer {
        for sink in sinks {
          do { try server.removeSink(sink) } catch { Issue.record("\(sink) stays: \(error)") }
        }
      }
      let places = try sinks.map { try Place(server, $0) }
      let synchronizer = RenderSynchronizer()
      synchronizer.fade = .none
      for place in places { synchronizer.addRenderer(place.renderer) }
      synchronizer.rate = 1
      // One has something long before the other: it waits.
      places[0].enqueue(seconds: 5)
      _ = try places[0].capture.frames(from: places[0].capture.frameCount + 24_000, count: 0)
      #expect(places[0].capture.recording.allSatisfy { $0 == 0 })
      places[1].enqueue(seconds: 5)
      for place in places { try place.listen(until: 3 * 48_000) }
      let begins = try places.map { try $0.begin() }
      let apart = abs(begins[0] - begins[1]) / 1e6
      print("two sinks: \(apart) ms apart")
      #expect(apart <= 2)
      #expect(places.allSatisfy { $0.renderer.underrunCount == 0 })
    }
  }
}

extension SeveralRenderersOnServerTests.Place {
  /// Waits until `frames` frames of sound have been heard; ten seconds at most.
  fileprivate func listen(until frames: Int) throws {
    for _ in 0..<100 {
      _ = try capture.frames(from: capture.frameCount + 4_800, count: 0)
      let last = capture.recording.suffix(2).first ?? 0
      if last * Float(Heard.frameLimit) > Float(frames) { return }
    }
    throw Unmet("frame \(frames)")
  }
}
