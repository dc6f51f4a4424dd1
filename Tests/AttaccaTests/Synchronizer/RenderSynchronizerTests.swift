// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Testing

@Suite struct RenderSynchronizerTests {
  private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 48_000) }

  /// A pulled line with `seconds` seconds of sound at rate 0.
  private func line(seconds: Int) -> PulledLine {
    let line = PulledLine()
    for i in 0..<seconds {
      line.renderer.enqueue(
        buffer([Float](repeating: 1, count: 48_000), atFrame: Int64(48_000 * i)))
    }
    return line
  }

  // MARK: Without a renderer

  @Test func `without a renderer the host's clock moves the time`() {
    let synchronizer = RenderSynchronizer()
    #expect(synchronizer.rate == 0 && synchronizer.currentTime() == .zero)
    let time = MediaTime(value: 1, timescale: 3)
    synchronizer.setRate(0, time: time)
    #expect(synchronizer.currentTime().value == 1 && synchronizer.currentTime().timescale == 3)
    let passed = DispatchSemaphore(value: 0)
    let observation = synchronizer.addBoundaryTimeObserver(
      forTimes: [MediaTime(value: 7, timescale: 20)], queue: DispatchQueue(label: "observer")
    ) { passed.signal() }
    synchronizer.rate = 1
    passed.wait()
    #expect(synchronizer.currentTime() >= MediaTime(value: 7, timescale: 20))
    synchronizer.rate = 0
    let held = synchronizer.currentTime()
    #expect(synchronizer.currentTime() == held)
    withExtendedLifetime(observation) {}
  }

  @Test func `an invalid time leaves the time as it is`() {
    let line = line(seconds: 1)
    line.synchronizer.setRate(1, time: frames(100))
    _ = line.pull(50)
    line.synchronizer.setRate(0, time: .invalid)
    #expect(line.synchronizer.rate == 0 && line.synchronizer.currentTime() == frames(150))
  }

  /// There was no fade where less than its 240 frames were left.
  @Test func `a start of a line that runs fades over what is left of the content`() throws {
    let line = PulledLine()
    line.synchronizer.fade = Fade(milliseconds: 5)
    line.renderer.enqueue(buffer([Float](repeating: 0.5, count: 48_000), atFrame: 0))
    line.renderer.enqueue(buffer([Float](repeating: -0.5, count: 100), atFrame: 48_000))
    line.synchronizer.rate = 1
    let before = try #require(line.pull(1_000).last)
    line.synchronizer.setRate(1, time: frames(48_000))
    let heard = [before] + line.pull(100)
    #expect(before == 0.5 && abs(heard[100] + 0.5) < 0.02)
    #expect(zip(heard, heard.dropFirst()).allSatisfy { abs($1 - $0) < 0.02 }, "\(heard)")
  }

  @Test func `a rate beyond those there are is the nearest of them`() {
    let synchronizer = RenderSynchronizer()
    synchronizer.rate = 40
    #expect(synchronizer.rate == 32)
    synchronizer.setRate(0.01, time: .zero)
    #expect(synchronizer.rate == 0.03125)
    synchronizer.setRate(.infinity, time: .zero)
    #expect(synchronizer.rate == 32)
    synchronizer.rate = 0
    #expect(synchronizer.rate == 0)
  }

  @Test func `a rate that is not a number traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      RenderSynchronizer().rate = .nan
    }
    #expect(end.says("a rate that is not a number; 0 and 0.03125...32.0 either way are permitted"))
  }

  @Test func `a negative rate where no player enqueues traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      RenderSynchronizer().rate = -1
    }
    #expect(end.says("a rate of -1.0 where no player enqueues; 0 and 0.03125...32.0 are permitted"))
  }

  @Test func `a negative time traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      RenderSynchronizer().setRate(0, time: MediaTime(value: -1, timescale: 1))
    }
    #expect(end.says("a time of {-1/1 = -1.000}; invalid, 0 and later numbers are permitted"))
  }

  // MARK: By pulling

  @Test func `time moves by what is pulled, and by nothing else`() {
    let line = line(seconds: 2)
    line.synchronizer.rate = 1
    #expect(line.synchronizer.currentTime() == .zero)
    for pulled in [1, 1_000, 4_096] {
      let before = line.synchronizer.currentTime()
      #expect(line.pull(pulled).count == pulled)
      #expect(line.synchronizer.currentTime() - before == frames(Int64(pulled)))
    }
    line.synchronizer.rate = 0
    #expect(line.pull(100).isEmpty)
    #expect(line.synchronizer.currentTime() == frames(5_097))
    line.synchronizer.setRate(1, time: frames(48_000))
    #expect(line.pull(10).count == 10)
    #expect(line.synchronizer.currentTime() == frames(48_010))
  }

  /// Notes what an observer was told, in order, and lets the test wait for it.
  private final class Told: Sendable {
    let queue = DispatchQueue(label: "observer")
    private let arrived = DispatchSemaphore(value: 0)
    // Touched on `queue` only.
    nonisolated(unsafe) private var names: [String] = []

    func note(_ name: String) {
      names.append(name)
      arrived.signal()
    }

    func wait(for count: Int) -> [String] {
      for _ in 0..<count { arrived.wait() }
      return queue.sync { names }
    }
  }

  @Test func `boundaries are told once a traversal, and never behind`() {
    let line = line(seconds: 2)
    let told = Told()
    let synchronizer = line.synchronizer
    synchronizer.setRate(1, time: frames(1_000))
    let observations = [500, 1_500, 1_501, 3_000].map { frame in
      synchronizer.addBoundaryTimeObserver(forTimes: [frames(frame)], queue: told.queue) {
        told.note("\(frame)")
      }
    }
    // Told in the order in which they were added: this one's call is behind theirs.
    let ready = synchronizer.addPeriodicTimeObserver(
      forInterval: MediaTime(value: 1_000, timescale: 1), queue: told.queue
    ) { _ in told.note("ready") }
    #expect(told.wait(for: 1) == ["ready"])
    _ = line.pull(900)
    #expect(told.wait(for: 2) == ["ready", "1500", "1501"])
    _ = line.pull(2_000)
    #expect(told.wait(for: 1).dropFirst(3) == ["3000"])
    synchronizer.setRate(1, time: frames(1_500))
    #expect(told.wait(for: 1).dropFirst(4) == ["ready"])
    _ = line.pull(3_000)
    #expect(told.wait(for: 2).dropFirst(5) == ["1501", "3000"])
    withExtendedLifetime((observations, ready)) {}
  }

  @Test func `a periodic observer is told at starts, jumps and on its grid`() {
    let line = line(seconds: 2)
    let times = DispatchQueue(label: "times")
    nonisolated(unsafe) var told: [MediaTime] = []
    let arrived = DispatchSemaphore(value: 0)
    let observation = line.synchronizer.addPeriodicTimeObserver(
      forInterval: frames(1_000), queue: times
    ) {
      told.append($0)
      arrived.signal()
    }
    arrived.wait()
    line.synchronizer.rate = 1
    arrived.wait()
    for _ in 0..<3 {
      _ = line.pull(999)
      _ = line.pull(1)
      arrived.wait()
    }
    line.synchronizer.setRate(1, time: frames(30_000))
    arrived.wait()
    #expect(times.sync { told } == [0, 0, 1_000, 2_000, 3_000, 30_000].map(frames))
    observation.cancel()
  }

  @Test func `an observation ends with its token, at once`() {
    let line = line(seconds: 2)
    let told = Told()
    let synchronizer = line.synchronizer
    func observe(_ name: String, _ frame: Int64) -> TimeObservation {
      synchronizer.addBoundaryTimeObserver(forTimes: [frames(frame)], queue: told.queue) {
        told.note(name)
      }
    }
    var released: TimeObservation? = observe("released", 100)
    let removed = observe("removed", 110)
    let cancelled = observe("cancelled", 120)
    let kept = observe("kept", 130)
    withExtendedLifetime(released) {}
    released = nil
    for _ in 0..<2 { synchronizer.removeTimeObserver(removed) }
    for _ in 0..<2 { cancelled.cancel() }
    // Another synchronizer's token is none of its business.
    RenderSynchronizer().removeTimeObserver(kept)
    synchronizer.setRate(1, time: .zero)
    let isSet = synchronizer.addPeriodicTimeObserver(
      forInterval: MediaTime(value: 1_000, timescale: 1), queue: told.queue
    ) { _ in told.note("set") }
    #expect(told.wait(for: 1) == ["set"])
    _ = line.pull(200)
    #expect(told.wait(for: 1) == ["set", "kept"])
    withExtendedLifetime((kept, isSet)) {}
  }

  // MARK: Several renderers

  @Test func `renderers start and stop together, and the first one is the clock`() {
    let line = line(seconds: 1)
    let second = OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .mono))
    second.enqueue(buffer([Float](repeating: 2, count: 48_000), atFrame: 0))
    line.synchronizer.addRenderer(second)
    #expect(line.synchronizer.renderers.count == 2)
    line.synchronizer.setRate(1, time: frames(10))
    renderersQueue.sync {}
    // Silence until the host time at which both start.
    let starts = [line.renderer, second].map { renderer in
      renderer.output.withLock { Int(renderer.starts.placed.number) }
    }
    var samples = [Float](repeating: 0, count: starts[1] + 100)
    #expect(second.render(frames: starts[1] + 100, into: &samples) == starts[1] + 100)
    #expect(samples == [Float](repeating: 0, count: starts[1]) + [Float](repeating: 2, count: 100))
    #expect(line.synchronizer.currentTime() == frames(10))
    #expect(line.pull(starts[0] + 60).suffix(60) == [Float](repeating: 1, count: 60)[...])
    #expect(line.synchronizer.currentTime() == frames(70))
    #expect(line.synchronizer.removeRenderer(line.renderer))
    #expect(!line.synchronizer.removeRenderer(line.renderer))
    #expect(line.pull(60).isEmpty)
    #expect(line.synchronizer.renderers.first === second)
    line.synchronizer.rate = 0
    #expect(second.render(frames: 100, into: &samples) == 0)
  }

  @Test func `adding a renderer twice traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let line = PulledLine()
      line.synchronizer.addRenderer(line.renderer)
    }
    #expect(end.says("a renderer was added to its synchronizer a second time"))
  }
}
