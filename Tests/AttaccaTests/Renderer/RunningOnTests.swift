// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import MediaTime
@testable import Rendering
import Synchronization
import TestFixtures
import Testing

/// Media time that runs on where nothing is enqueued, told by every frame.
@Suite struct RunningOnTests {
  private static func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame, timescale: 48_000)
  }

  private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  /// Ones that name their frames, from frame `first` on.
  private func frames(_ first: Int, _ count: Int) -> [Float] { ramp(first + 1, count) }

  private func runningOn() -> PulledLine {
    let line = PulledLine()
    line.synchronizer.whenDry = .runsOn
    return line
  }

  /// Boundaries that were crossed, in order, as frames of 48 kHz.
  private final class Crossings: Sendable {
    private let seen = Mutex<[Int64]>([])
    private let queue = DispatchQueue(label: "crossings")
    var frames: [Int64] { seen.withLock { $0 } }

    func observe(_ synchronizer: RenderSynchronizer, at frames: [Int64]) -> [TimeObservation] {
      frames.map { frame in
        synchronizer.addBoundaryTimeObserver(
          forTimes: [RunningOnTests.time(frame)], queue: queue
        ) { self.seen.withLock { $0.append(frame) } }
      }
    }

    /// Waits for all that `synchronizer` has told by now.
    func settle(_ synchronizer: RenderSynchronizer) {
      synchronizer.observers.queue.sync {}
      queue.sync {}
    }
  }

  @Test func `a gap of 500 ms is 24,000 frames of silence, and the clock is true after it`() {
    let line = runningOn()
    line.renderer.enqueue(buffer(frames(0, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    #expect(line.pull(72_000) == frames(0, 48_000) + silence(24_000))
    #expect(line.synchronizer.currentTime() == Self.time(72_000))
    line.renderer.enqueue(buffer(frames(72_000, 48_000), atFrame: 72_000))
    #expect(line.pull(48_000) == frames(72_000, 48_000))
    #expect(line.synchronizer.currentTime() == Self.time(120_000))
    #expect(line.renderer.underrunCount == 0)
  }

  @Test func `by default it holds`() {
    let line = PulledLine()
    #expect(line.synchronizer.whenDry == .holds)
    line.renderer.enqueue(buffer(frames(0, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    #expect(line.pull(72_000) == frames(0, 48_000))
    #expect(line.synchronizer.currentTime() == Self.time(48_000))
  }

  @Test func `what comes late is trimmed to the frame`() {
    let line = runningOn()
    line.renderer.enqueue(buffer(frames(0, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    _ = line.pull(60_007)
    line.renderer.enqueue(buffer(frames(48_000, 48_000), atFrame: 48_000))
    #expect(line.pull(36_000) == frames(60_007, 35_993) + silence(7))
    // All of it.
    line.renderer.enqueue(buffer(frames(0, 96_000), atFrame: 0))
    #expect(line.pull(1_000) == silence(1_000))
    #expect(line.synchronizer.currentTime() == Self.time(97_007))
  }

  @Test func `what begins in its middle fades in as the start did`() {
    let line = runningOn()
    line.synchronizer.fade = .standard
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    _ = line.pull(60_000)
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 48_000), atFrame: 50_000))
    let heard = line.pull(1_000)
    let step = 1 / Float(240)
    let expected = (0..<1_000).map { $0 < 240 ? step * Float($0) : 1 }
    #expect(firstDifference(heard, expected) == nil)
  }

  @Test func `boundaries at the end and behind it are told of, without an end`() {
    let line = runningOn()
    let crossings = Crossings()
    let observations = crossings.observe(line.synchronizer, at: [24_000, 48_000, 60_000])
    line.renderer.enqueue(buffer(frames(0, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    _ = line.pull(48_000)
    wait { crossings.frames == [24_000, 48_000] }
    _ = line.pull(12_000)
    wait { crossings.frames == [24_000, 48_000, 60_000] }
    withExtendedLifetime(observations) {}
    #expect(line.synchronizer.currentTime() == Self.time(60_000))
  }

  @Test func `boundaries that are crossed before their queue has its turn are told of`() {
    let line = runningOn()
    let crossings = Crossings()
    let turn = DispatchSemaphore(value: 0)
    line.synchronizer.observers.queue.async { turn.wait() }
    let observations = crossings.observe(line.synchronizer, at: [24_000, 48_000, 60_000])
    line.renderer.enqueue(buffer(frames(0, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    _ = line.pull(48_000)
    turn.signal()
    wait { crossings.frames == [24_000, 48_000] }
    // What lies behind by then is none to come.
    let late = crossings.observe(line.synchronizer, at: [36_000, 48_000])
    _ = line.pull(12_000)
    wait { crossings.frames.contains(60_000) }
    crossings.settle(line.synchronizer)
    #expect(crossings.frames == [24_000, 48_000, 60_000])
    withExtendedLifetime((observations, late)) {}
  }

  @Test func `an end that is told all the same is the end`() {
    let line = runningOn()
    line.renderer.enqueue(buffer(frames(0, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    #expect(line.pull(60_000).count == 60_000)
    let events = line.renderer.rendererEvents
    line.renderer.finishEnqueuing()
    #expect(line.pull(1_000) == [])
    #expect(line.synchronizer.currentTime() == Self.time(60_000))
    #expect(line.synchronizer.timebase.rate == 0)
    withExtendedLifetime(events) {}
  }

  @Test func `pauses, jumps, flushes and rates are those of silence`() {
    let line = runningOn()
    line.renderer.audioTimePitchAlgorithm = .varispeed
    line.renderer.enqueue(buffer(frames(0, 24_000), atFrame: 0))
    line.synchronizer.rate = 1
    #expect(line.pull(30_000) == frames(0, 24_000) + silence(6_000))
    line.synchronizer.rate = 0
    #expect(line.pull(1_000) == [])
    #expect(line.synchronizer.currentTime() == Self.time(30_000))
    line.renderer.enqueue(buffer(frames(30_000, 24_000), atFrame: 30_000))
    line.synchronizer.rate = 1
    #expect(line.pull(30_000) == frames(30_000, 24_000) + silence(6_000))
    line.renderer.enqueue(buffer(frames(60_000, 24_000), atFrame: 60_000))
    #expect(line.pull(1_000) == frames(60_000, 1_000))
    line.renderer.flush()
    #expect(line.pull(10_000)[240...] == silence(9_760)[...])
    #expect(line.synchronizer.currentTime() == Self.time(71_000))
    line.renderer.enqueue(buffer(frames(71_000, 12_000), atFrame: 71_000))
    #expect(line.pull(1_000) == frames(71_000, 1_000))
    line.synchronizer.setRate(1, time: Self.time(480_000))
    _ = line.pull(10_000)
    #expect(line.synchronizer.currentTime() == Self.time(490_000))
    line.renderer.enqueue(buffer(frames(490_000, 1_000), atFrame: 490_000))
    #expect(line.pull(2_000) == frames(490_000, 1_000) + silence(1_000))
    line.synchronizer.rate = 2
    wait { !line.renderer.isStale }
    _ = line.pull(24_000)
    #expect(line.synchronizer.currentTime() == Self.time(540_000))
  }

  @Test func `long after the last frame there is room for the next one`() {
    let line = runningOn()
    line.renderer.enqueue(buffer(frames(0, 48_000), atFrame: 0))
    line.synchronizer.rate = 1
    for _ in 0..<30 { _ = line.pull(48_000) }
    line.renderer.enqueue(buffer(frames(1_440_000, 48_000), atFrame: 1_440_000))
    #expect(line.pull(48_000) == frames(1_440_000, 48_000))
  }

  @Test func `the policy is another one at once, both ways`() {
    let line = PulledLine()
    line.renderer.enqueue(buffer(frames(0, 24_000), atFrame: 0))
    line.synchronizer.rate = 1
    #expect(line.pull(30_000) == frames(0, 24_000))
    line.synchronizer.whenDry = .runsOn
    #expect(line.pull(6_000) == silence(6_000))
    #expect(line.synchronizer.currentTime() == Self.time(30_000))
    line.synchronizer.whenDry = .holds
    #expect(line.pull(6_000) == [])
    line.renderer.enqueue(buffer(frames(30_000, 48_000), atFrame: 30_000))
    #expect(line.pull(6_000) == frames(30_000, 6_000))
    #expect(line.synchronizer.currentTime() == Self.time(36_000))
  }

  @Test func `rendering to the end waits for what is missing`() {
    let line = runningOn()
    line.synchronizer.rate = 1
    let enqueuing = DispatchQueue(label: "enqueuing")
    let renderer = line.renderer
    enqueuing.async {
      for second in 0..<3 {
        renderer.enqueue(buffer(ramp(second * 48_000 + 1, 48_000), atFrame: Int64(second) * 48_000))
      }
      renderer.finishEnqueuing()
    }
    var heard: [Float] = []
    renderer.renderToEnd { heard.append(contentsOf: $0) }
    #expect(heard == frames(0, 144_000))
  }

  @Test func `a device is given silence ahead, and late content as soon as it gives that back`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 960)
    synchronizer.whenDry = .runsOn
    renderer.enqueue(buffer(frames(0, 24_000), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 30_000)
    let written = output.withLock {
      renderer.outputNeedsFrames()
      return renderer.line.written
    }
    #expect(written == 78_000)
    renderer.enqueue(buffer(frames(29_000, 12_000), atFrame: 29_000))
    output.withLock {
      // Timeline frame 0 is stream frame 960; from 30,960 on the device gives back.
      #expect(renderer.line.rendered(30_960..<32_000) == frames(30_000, 1_040))
      #expect(renderer.line.rendered(41_959..<41_961) == [41_000, 0])
      #expect(renderer.line.written == 78_000)
    }
    #expect(renderer.underrunCount == 0)
    #expect(output.stopsAfter == nil)
  }

  @Test func `a device that went past what it was given goes on where it is`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 960)
    synchronizer.whenDry = .runsOn
    renderer.enqueue(buffer(frames(0, 96_000), atFrame: 0))
    synchronizer.rate = 1
    let written = output.withLock { renderer.line.written }
    output.overrun(to: written + 10_000)
    output.runDry(expectedAt: written + 10_000)
    #expect(renderer.underrunCount == 1)
    output.withLock {
      #expect(renderer.line.transport == .running)
      let next = written + 10_960
      #expect(renderer.line.rendered(next..<(next + 100)) == frames(Int(next.number) - 960, 100))
    }
  }

  @Test(arguments: [DryPolicy.holds, .runsOn])
  func `a renderer with little data starts within 5 s`(policy: DryPolicy) {
    let line = PulledLine()
    line.synchronizer.whenDry = policy
    line.renderer.enqueue(buffer(frames(0, 480), atFrame: 0))
    line.synchronizer.rate = 1
    #expect(line.pull(480) == [])
    let began = DispatchTime.now()
    wait { line.synchronizer.timebase.rate > 0 }
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - began.uptimeNanoseconds) / 1e9
    #expect(seconds < 6)
    #expect(line.pull(480) == frames(0, 480))
  }

  @Test func `one that does not wait for enough runs at once, with nothing`() {
    let line = runningOn()
    line.synchronizer.delaysRateChangeUntilHasSufficientMediaData = false
    line.synchronizer.setRate(1, time: Self.time(1_000))
    #expect(line.pull(2_000) == silence(2_000))
    #expect(line.synchronizer.currentTime() == Self.time(3_000))
  }
}
