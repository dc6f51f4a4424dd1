// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Testing

@Suite struct TimebaseTests {
  private func seconds(_ value: Int64, over scale: Int32 = 1) -> MediaTime {
    MediaTime(value: value, timescale: scale)
  }

  /// A timebase that moves by being set only, as a source.
  private func still() -> Timebase { Timebase() }

  @Test func `the host clock is nanoseconds both ways`() {
    let before = HostClock.nanoseconds
    let time = HostClock.time
    #expect(HostClock.nanoseconds(of: time)! >= before)
    #expect(HostClock.mediaTime(ofNanoseconds: 1_500) == seconds(1_500, over: 1_000_000_000))
    #expect(HostClock.nanoseconds(of: seconds(1, over: 3)) == 333_333_333)
    #expect(HostClock.nanoseconds(of: seconds(2, over: 3)) == 666_666_667)
    for time in [.invalid, .positiveInfinity, .indefinite, seconds(-1)] as [MediaTime] {
      #expect(HostClock.nanoseconds(of: time) == nil)
    }
  }

  @Test func `a new timebase stands at 0, and tells what it was set to as it was set`() {
    let timebase = Timebase()
    #expect(timebase.time == .zero && timebase.rate == 0 && timebase.effectiveRate == 0)
    #expect(timebase.sourceTimebase == nil)
    timebase.setTime(seconds(1, over: 3))
    #expect(timebase.time.value == 1 && timebase.time.timescale == 3)
    #expect(timebase.rate == 0)
  }

  @Test func `it runs with the host clock from its anchor, before and after`() {
    let timebase = Timebase()
    let now = HostClock.time
    timebase.setRate(2, time: seconds(100), atSourceTime: now + seconds(10))
    let (time, rate) = timebase.timeAndRate
    let passed = HostClock.time - now
    #expect(rate == 2)
    #expect(time >= seconds(80) && time <= seconds(80) + passed + passed)
  }

  @Test func `a chain multiplies rates, and a snapshot is of one moment`() {
    let source = still()
    let middle = Timebase(source: source)
    let last = Timebase(source: middle)
    #expect(last.sourceTimebase === middle)
    middle.setRate(3, time: seconds(10))
    last.setRate(-0.5, time: seconds(7))
    #expect(last.rate == -0.5 && last.effectiveRate == 0)
    source.setTime(seconds(2))
    #expect(middle.time == seconds(16) && last.time == seconds(4))
    source.setRate(0.25)
    #expect(middle.effectiveRate == 0.75 && last.effectiveRate == -0.375)
    // All three at one host time: exactly in line.
    let now = HostClock.nanoseconds
    let readings = [source, middle, last].map { $0.reading(atHostTime: now).time }
    #expect(readings[1] == 3 * readings[0] + 10 * TimeUnits.perSecond)
    // Half a unit is rounded up, towards the later time.
    #expect(
      readings[2] == 7 * TimeUnits.perSecond - ((readings[1] - 10 * TimeUnits.perSecond) >> 1))
  }

  @Test func `a change of rate is no jump, and a set time is one, for followers too`() async {
    let source = still()
    let follower = Timebase(source: source)
    follower.setRate(2)
    var (own, followed) = (
      source.events.makeAsyncIterator(), follower.events.makeAsyncIterator()
    )
    source.setTime(seconds(5))
    #expect(await own.next() == .timeJumped(to: seconds(5)))
    #expect(await followed.next() == .timeJumped(to: seconds(10)))
    // 0 times whatever: no change.
    follower.setRate(4)
    source.setRate(1, time: seconds(6))
    guard case .timeJumped(let time)? = await own.next(),
      case .effectiveRateDidChange(1, let at)? = await own.next()
    else {
      Issue.record("the source told something else")
      return
    }
    #expect(time >= seconds(6) && at == time)
    guard case .timeJumped? = await followed.next(),
      case .effectiveRateDidChange(4, _)? = await followed.next()
    else {
      Issue.record("the follower was not told")
      return
    }
    source.setRate(0)
    guard case .effectiveRateDidChange(0, _)? = await own.next(),
      case .effectiveRateDidChange(0, _)? = await followed.next()
    else {
      Issue.record("stopping was told as something else")
      return
    }
  }

  /// Waits for a timer on a queue of its own, and counts.
  private final class Fired: Sendable {
    let queue = DispatchQueue(label: "timers")
    private let arrived = DispatchSemaphore(value: 0)
    // Touched on `queue` only.
    nonisolated(unsafe) private var names: [Int] = []

    func note(_ name: Int) {
      names.append(name)
      arrived.signal()
    }

    func wait(for count: Int) -> [Int] {
      for _ in 0..<count { arrived.wait() }
      return queue.sync { names }
    }
  }

  @Test func `timers fire in the order of time, through jumps and changes of rate`() {
    let timebase = Timebase()
    let fired = Fired()
    let timers = [seconds(300), seconds(100), seconds(200), .invalid, .positiveInfinity]
      .enumerated().map { (id, time) in
        timebase.addTimer(at: time, queue: fired.queue) { fired.note(id) }
      }
    // A thousand seconds a second: the first is due after 0.1 s.
    timebase.setRate(1_000)
    #expect(fired.wait(for: 1) == [1])
    #expect(timebase.time >= seconds(100))
    timebase.setRate(1, time: seconds(250))
    #expect(fired.wait(for: 1) == [1, 2])
    timebase.setRate(-1_000, time: seconds(400))
    #expect(fired.wait(for: 1) == [1, 2, 0])
    #expect(timebase.time <= seconds(300))
    withExtendedLifetime(timers) {}
  }

  @Test func `a timer that is past waits for time to move, and cancelled it is not called`() {
    let timebase = Timebase()
    let fired = Fired()
    timebase.setTime(seconds(10))
    let timer = timebase.addTimer(at: seconds(5), queue: fired.queue) { fired.note(1) }
    let cancelled = timebase.addTimer(at: seconds(4), queue: fired.queue) { fired.note(2) }
    cancelled.cancel()
    cancelled.fireImmediately()
    timer.fireImmediately()
    #expect(fired.wait(for: 1) == [1])
    timebase.setRate(1)
    #expect(fired.wait(for: 1) == [1, 1])
    timer.setNextFireTime(seconds(9))
    #expect(fired.wait(for: 1) == [1, 1, 1])
  }

  @Test(arguments: [2_000_000.0, -2_000_000]) func `a rate without sense traps`(
    rate: Double
  ) async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [rate] in Timebase().setRate(rate) }
    #expect(
      end.says("a timebase's rate of \(rate); 0...1048576.0 either way are permitted"))
  }

  @Test func `a time that is no number traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Timebase().setTime(.indefinite)
    }
    #expect(end.says("a timebase's time of {INDEFINITE}; numbers are permitted"))
  }

  // MARK: What is heard

  @Test func `a synchronizer's timebase is what is heard, and can be followed`() async {
    let line = PulledLine()
    line.renderer.enqueue(buffer([Float](repeating: 1, count: 48_000), atFrame: 0))
    let timebase = line.synchronizer.timebase
    #expect(timebase === line.synchronizer.timebase && timebase.rate == 0)
    let follower = Timebase(source: timebase)
    follower.setRate(2)
    let fired = Fired()
    let timer = follower.addTimer(at: seconds(1), queue: fired.queue) { fired.note(1) }
    var events = timebase.events.makeAsyncIterator()
    line.synchronizer.rate = 1
    #expect(await events.next() == .effectiveRateDidChange(rate: 1, at: .zero))
    #expect(timebase.rate == 1 && follower.effectiveRate == 2)
    _ = line.pull(12_000)
    #expect(timebase.time == seconds(1, over: 4) && follower.time == seconds(1, over: 2))
    _ = line.pull(12_000)
    #expect(fired.wait(for: 1) == [1])
    line.synchronizer.setRate(0, time: seconds(3))
    #expect(await events.next() == .timeJumped(to: seconds(3)))
    #expect(follower.time == seconds(6) && follower.effectiveRate == 0)
    withExtendedLifetime(timer) {}
  }
}
