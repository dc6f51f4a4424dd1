// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import MediaTime
import PulseAudio
import Synchronization
import TestFixtures
import TestServers
import Testing

@Suite struct StarvationTests {
  /// `frames` of the numbered item 61 as a buffer for their own time.
  private static func buffer(_ frames: Range<Int>) -> SampleBuffer {
    let samples = TestSound.numbered(61, frames)
    let storage = FrameStorage(capacity: samples.count)
    samples.withUnsafeBufferPointer {
      storage.samples.update(from: $0.baseAddress!, count: samples.count)
    }
    return SampleBuffer(
      storage: storage, format: TestSound.format, frameCount: frames.count,
      time: RationalTime(frames: Int64(frames.lowerBound), rate: 48_000))
  }

  @Test(arguments: [Latency.balanced, .powerSaving])
  func `a starved renderer holds, and goes on with the next frame`(
    latency: Latency
  ) async throws {
    try await onOwnThread {
      let seat = Seat()
      let sink = try TestedServer.shared.makeSink()
      defer { withExtendedLifetime(seat) {} }
      let capture = try MonitorCapture(
        connection: TestedServer.shared.connect(), sink: sink)
      let renderer = try TestedServer.shared.withDoor { address throws(PulseError) in
        try PulseAudioRenderer(device: sink, server: address, latency: latency)
      }
      let synchronizer = RenderSynchronizer()
      synchronizer.addRenderer(renderer)
      func listen(_ frames: Int) throws {
        _ = try capture.frames(from: capture.frameCount + frames, count: 0)
      }
      renderer.enqueue(Self.buffer(0..<24_000))
      synchronizer.rate = 1
      for (count, next) in [(1, 24_000..<48_000), (2, 48_000..<60_000)] {
        for _ in 0..<1_000 where renderer.underrunCount < count { try listen(480) }
        #expect(renderer.underrunCount == count)
        // What the sink still has is heard first.
        try listen(5_000)
        let held = synchronizer.currentTime()
        #expect(held == MediaTime(value: Int64(next.lowerBound), timescale: 48_000))
        try listen(5_000)
        #expect(synchronizer.currentTime() == held)
        renderer.enqueue(Self.buffer(next))
      }
      renderer.finishEnqueuing()
      try listen(30_000)
      let heard = Heard.trimmed(capture.recording)
      // After a stall sound fades in, its first frame at a gain of 0.
      guard heard.count == 7, case .silence = heard[1], case .silence = heard[4] else {
        Issue.record("\(heard)")
        return
      }
      #expect(heard[0] == .frames(item: 61, 0..<24_000))
      #expect(heard[2] == .other(239))
      #expect(heard[3] == .frames(item: 61, 24_240..<48_000))
      #expect(heard[5] == .other(239))
      #expect(heard[6] == .frames(item: 61, 48_240..<60_000))
      #expect(renderer.underrunCount == 2)
    }
  }

  /// After an underrun the server counts the frames it had to do without as written, and does not
  /// ask for what follows; and then the end is near, which is waited for.
  @Test func `a starved renderer comes to its end all the same`() async throws {
    try await onOwnThread {
      let seat = Seat()
      let sink = try TestedServer.shared.makeSink()
      defer { withExtendedLifetime(seat) {} }
      let capture = try MonitorCapture(
        connection: TestedServer.shared.connect(), sink: sink)
      let renderer = try TestedServer.shared.withDoor { address throws(PulseError) in
        try PulseAudioRenderer(device: sink, server: address, latency: .low)
      }
      let synchronizer = RenderSynchronizer()
      synchronizer.addRenderer(renderer)
      func listen(_ frames: Int) throws {
        _ = try capture.frames(from: capture.frameCount + frames, count: 0)
      }
      let isDrained = Atomic(false)
      let events = renderer.rendererEvents
      let task = Task {
        for await event in events {
          if case .drained = event { isDrained.store(true, ordering: .relaxed) }
        }
      }
      renderer.enqueue(Self.buffer(0..<4_800))
      synchronizer.rate = 1
      for _ in 0..<1_000 where renderer.underrunCount < 1 { try listen(480) }
      try listen(48_000)
      renderer.enqueue(Self.buffer(4_800..<6_000))
      renderer.finishEnqueuing()
      for _ in 0..<1_000 where !isDrained.load(ordering: .relaxed) { try listen(480) }
      let isOver = isDrained.load(ordering: .relaxed)
      #expect(isOver)
      task.cancel()
    }
  }

  @Test func `a renderer that runs on plays a gap of 500 ms, and tells of times behind its end`()
    async throws
  {
    try await onOwnThread {
      let seat = Seat()
      let sink = try TestedServer.shared.makeSink()
      defer { withExtendedLifetime(seat) {} }
      let capture = try MonitorCapture(
        connection: TestedServer.shared.connect(), sink: sink)
      let renderer = try TestedServer.shared.withDoor { address throws(PulseError) in
        try PulseAudioRenderer(device: sink, server: address)
      }
      let synchronizer = RenderSynchronizer()
      synchronizer.fade = .none
      synchronizer.whenDry = .runsOn
      synchronizer.addRenderer(renderer)
      // The end, and times behind it: of as many one is told at once on a machine that is busy, too.
      let frames = Array(stride(from: Int64(48_000), through: 60_000, by: 480))
      let lateness = Mutex<[Double]>([])
      let queue = DispatchQueue(label: "boundaries", qos: .userInteractive)
      let observations = frames.map { frame in
        let time = MediaTime(value: frame, timescale: 48_000)
        return synchronizer.addBoundaryTimeObserver(forTimes: [time], queue: queue) {
          let late = (synchronizer.currentTime() - time).seconds
          lateness.withLock { $0.append(late) }
        }
      }
      renderer.enqueue(Self.buffer(0..<48_000))
      synchronizer.rate = 1
      func listen(_ frames: Int) throws {
        _ = try capture.frames(from: capture.frameCount + frames, count: 0)
      }
      // In the gap, half a second before it is due: on a busy machine a quarter was too late, once.
      for _ in 0..<1_000 where lateness.withLock({ $0.isEmpty }) { try listen(480) }
      renderer.enqueue(Self.buffer(72_000..<96_000))
      let end = MediaTime(value: 100_000, timescale: 48_000)
      for _ in 0..<1_000 where synchronizer.currentTime() < end { try listen(480) }
      try listen(5_000)
      let late = lateness.withLock { $0 }
      #expect(late.count == frames.count && late.allSatisfy { $0 >= 0 }, "\(late)")
      // How soon a thread wakes is the machine's.
      #expect(late.min() ?? 1 < 0.001, "\(late)")
      let recording = capture.recording
      let start = try capture.firstSoundFrame()
      let expected =
        TestSound.numbered(61, 0..<48_000) + [Float](repeating: 0, count: 48_000)
        + TestSound.numbered(61, 72_000..<96_000)
      let heard = Array(recording[(2 * start)..<(2 * start + expected.count)])
      #expect(firstDifference(heard, expected) == nil)
      #expect(renderer.underrunCount == 0)
      withExtendedLifetime(observations) {}
    }
  }
}
