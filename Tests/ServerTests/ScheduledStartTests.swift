// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import PulseAudio
import TestServers
import Testing

@Suite struct ScheduledStartOnServerTests {
  /// A start that has been heard.
  private struct Start {
    let hostTime: UInt64
    /// The stream frame that it was put at, and the one that the clock said right after.
    let placed: Int64
    let model: Int64
    /// The frame of the recording with the first frame of sound.
    let heard: Int
  }

  private struct Playing {
    let capture: MonitorCapture
    let renderer: PulseAudioRenderer
    let synchronizer = RenderSynchronizer()

    func listen(frames: Int) throws {
      _ = try capture.frames(from: capture.frameCount + frames, count: 0)
    }

    /// Has frame `media` heard in 300 ms.
    func start(atFrame media: Int) throws -> Start {
      let before = renderer.output.withLock { renderer.placedStart }
      let hostTime = HostClock.nanoseconds + 300_000_000
      synchronizer.setRate(
        1, time: MediaTime(value: Int64(media), timescale: 48_000),
        atHostTime: HostClock.mediaTime(ofNanoseconds: hostTime))
      let begin = capture.frameCount
      var placed = before
      for _ in 0..<1_000 where placed == before {
        try listen(frames: 96)
        placed = renderer.output.withLock { renderer.placedStart }
      }
      let model = try #require(renderer.clock.streamFrame(atHostTime: hostTime))
      // What was playing before has fallen silent by then.
      let recorded = try capture.frames(from: begin, count: 24_000)
      // On a busy machine a start may come too late, and is then extrapolated: each frame is heard
      // when it would have been.
      let heard = try #require(
        (0..<24_000).lazy.compactMap { place -> Int? in
          let number = Int((recorded[2 * place] * Float(Heard.frameLimit)).rounded()) - 1
          return (media..<media + 9_600).contains(number) ? place - (number - media) : nil
        }.first, "frame \(media) was not heard")
      return Start(
        hostTime: hostTime, placed: placed, model: model, heard: begin + heard)
    }
  }

  @Test func `ten starts are heard at the frame of the clock and at their host times`() async throws
  {
    try await onOwnThread {
      // The clock is asked again right after it has told the frame: beside other tests it may have
      // learned something meanwhile.
      let seats = Seat(taking: Seat.all)
      defer { withExtendedLifetime(seats) {} }
      let server = try PrivatePulseServer.shared
      let sink = try server.makeSink(format: TestSound.format)
      defer {
        do { try server.removeSink(sink) } catch { Issue.record("\(sink) stays: \(error)") }
      }
      let playing = try Playing(
        capture: MonitorCapture(
          connection: server.connect(), sink: sink, fragment: .milliseconds(2)),
        renderer: server.withDoor { address throws(PulseError) in
          try PulseAudioRenderer(
            device: sink, server: address, applicationName: "attacca tests", mediaName: sink)
        })
      playing.synchronizer.fade = .none
      playing.synchronizer.addRenderer(playing.renderer)
      for second in 0..<6 {
        let samples = TestSound.numbered(1, (48_000 * second)..<(48_000 * (second + 1)))
        let storage = FrameStorage(capacity: samples.count)
        for (i, sample) in samples.enumerated() { storage.samples[i] = sample }
        playing.renderer.enqueue(
          SampleBuffer(
            storage: storage, format: TestSound.format, frameCount: 48_000,
            time: RationalTime(frames: Int64(48_000 * second), rate: 48_000)))
      }
      let starts = try (0..<10).map { try playing.start(atFrame: 24_000 * $0) }
      // A recorded frame can arrive late but not early, and this sink's time is the host's.
      let zero = playing.capture.arrivals.map {
        Double($0.hostTime) - Double($0.frame + $0.count) * 1e9 / 48_000
      }.min()!
      let errors = starts.map {
        (zero + Double($0.heard) * 1e9 / 48_000 - Double($0.hostTime)) / 1e6
      }
      let constant = errors.sorted()[errors.count / 2]
      let offByModel = starts.map { $0.placed - $0.model }
      let worst = errors.map { abs($0 - constant) }.max()!
      print(
        """
        starts: constant \(constant) ms, worst \(worst) ms (recorder fragment 2 ms), \
        frames off the clock \(offByModel)
        """)
      #expect(worst <= 2)
      #expect(offByModel.allSatisfy { abs($0) <= 1 })
      // The stream has run all the while: each was heard at the very frame it was put at.
      #expect(Set(starts.map { Int64($0.heard) - $0.placed }).count == 1)
      #expect(playing.renderer.underrunCount == 0)
    }
  }
}
