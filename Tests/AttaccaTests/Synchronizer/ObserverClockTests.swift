// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
@testable import Rendering
import Synchronization
import Testing

@Suite struct ObserverClockTests {
  private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 48_000) }

  private func line() -> PulledLine {
    let line = PulledLine()
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 96_000), atFrame: 0))
    return line
  }

  @Test func `ten thousand boundary observers set one timer`() {
    let timers = Atomic(0)
    let clock = ObserverClock { queue in
      timers.add(1, ordering: .relaxed)
      return Alarm.strictTimer(queue)
    }
    let source = HandClock()
    clock.source = source
    let observations = (1...10_000).map { second in
      clock.addBoundaries([Int64(3_600 + second) * Int64(MediaTicks.perSecond)], queue: .global()) {
        _ in
      }
    }
    func timersSet() -> Int {
      clock.queue.sync {}
      return timers.load(ordering: .relaxed)
    }
    #expect(timersSet() == 0)
    source.isRunning.store(true, ordering: .relaxed)
    clock.timelineChanged()
    #expect(timersSet() == 1)
    clock.timelineChanged()
    #expect(timersSet() == 2)
    withExtendedLifetime(observations) {}
  }

  @Test func `ten thousand boundary observers are told once each, in the order of time`() {
    let line = line()
    let queue = DispatchQueue(label: "observer")
    nonisolated(unsafe) var told: [Int] = []
    let arrived = DispatchSemaphore(value: 0)
    // Added backwards, one frame apart.
    let observations = (1...10_000).reversed().map { frame in
      line.synchronizer.addBoundaryTimeObserver(forTimes: [frames(Int64(frame))], queue: queue) {
        told.append(frame)
        arrived.signal()
      }
    }
    // All are in place: a boundary that has been crossed before is not told of.
    line.synchronizer.observers.queue.sync {}
    line.synchronizer.rate = 1
    for _ in 0..<10 { _ = line.pull(1_000) }
    for _ in 1...10_000 { arrived.wait() }
    #expect(queue.sync { told } == Array(1...10_000))
    withExtendedLifetime(observations) {}
  }

  @Test func `times come as sequences, and end with the synchronizer`() async {
    var line: PulledLine? = line()
    var periodic = line!.synchronizer.periodicTimes(forInterval: frames(1_000))
      .makeAsyncIterator()
    var boundaries = line!.synchronizer.boundaryTimes([frames(1_500), frames(2_500)])
      .makeAsyncIterator()
    #expect(await periodic.next() == .zero)
    // By then the boundaries are known too.
    line!.synchronizer.observers.queue.sync {}
    line!.synchronizer.rate = 1
    #expect(await periodic.next() == .zero)
    for (pulled, time) in [(1_000, 1_000), (500, nil), (500, 2_000)] as [(Int, Int64?)] {
      _ = line!.pull(pulled)
      if let time { #expect(await periodic.next() == frames(time)) }
    }
    #expect(await boundaries.next() == frames(1_500))
    line = nil
    #expect(await periodic.next() == nil)
    #expect(await boundaries.next() == nil)
  }

  @Test func `every change of the rate is told, and nothing else`() async {
    var synchronizer: RenderSynchronizer? = RenderSynchronizer()
    let changes = synchronizer!.rateChanges
    synchronizer!.rate = 1
    synchronizer!.rate = 1
    synchronizer!.setRate(0, time: frames(5))
    synchronizer!.setRate(0, time: frames(6))
    synchronizer!.setRate(
      1, time: frames(7), atHostTime: HostClock.time + MediaTime(value: 9, timescale: 1))
    synchronizer = nil
    var told: [Double] = []
    for await rate in changes { told.append(rate) }
    #expect(told == [1, 0, 1])
  }
}

/// A clock that stands at zero, running or not.
private final class HandClock: ClockSource, Sendable {
  let isRunning = Atomic(false)

  func reading() -> ClockReading {
    let isRunning = isRunning.load(ordering: .relaxed)
    return ClockReading(ticks: 0, traversal: 0, traversalStart: 0, speed: isRunning ? 1 : 0)
  }

  func hostTime(ofTicks ticks: Int64) -> UInt64? { HostTime.now() + 3_600_000_000_000 }
}
