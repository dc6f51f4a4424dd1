// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Testing

/// What a clock, its observers and its timers tell while media time goes backwards.
@Suite struct ReversedClockTests {
  private func time(_ frame: Int) -> MediaTime { MediaTime(value: Int64(frame), timescale: 2_000) }

  @Test func `media time goes down frame by frame, and the items have their places`() {
    let playback = ReversedPlayback(["ramp 1 3000", "ramp 2 5000"])
    let player = playback.player
    player.rate = -1
    var last = time(5_000)
    for _ in 0..<7 {
      _ = playback.pull(1_000)
      let now = player.synchronizer.currentTime()
      #expect(now == last - time(1_000))
      last = now
    }
    playback.offline.waitForCurrent("ramp 1 3000")
    #expect(player.currentSpan?.start == RationalTime(frames: -3_000, rate: 2_000))
    #expect(player.currentTime == time(1_000))
    #expect(player.duration == time(3_000))
  }

  @Test func `boundaries are told going down, once each way`() async {
    let playback = ReversedPlayback(["ramp 1 8000"])
    let synchronizer = playback.player.synchronizer
    var told = synchronizer.boundaryTimes([1_000, 3_000, 2_000].map(time)).makeAsyncIterator()
    synchronizer.observers.queue.sync {}
    playback.player.play()
    playback.offline.settle()
    _ = playback.pull(2_500)
    #expect(await told.next() == time(1_000))
    #expect(await told.next() == time(2_000))
    playback.turn(to: -1)
    _ = playback.pull(2_000)
    #expect(await told.next() == time(2_000))
    #expect(await told.next() == time(1_000))
    playback.turn(to: 1)
    _ = playback.pull(3_000)
    for frame in [1_000, 2_000, 3_000] { #expect(await told.next() == time(frame)) }
  }

  @Test func `times at an interval are told going down`() async {
    let playback = ReversedPlayback(["ramp 1 8000"])
    playback.player.rate = -1
    _ = playback.pull(500)
    var told = playback.player.synchronizer.periodicTimes(forInterval: time(1_000))
      .makeAsyncIterator()
    #expect(await told.next() == time(7_500))
    for frame in [6_500, 5_500, 4_500] {
      _ = playback.pull(1_000)
      #expect(await told.next() == time(frame))
    }
  }

  @Test func `the timebase has a negative rate, and its timers fire where it gets to`() async {
    let playback = ReversedPlayback(["ramp 1 8000"])
    let timebase = playback.player.synchronizer.timebase
    playback.player.rate = -2
    _ = playback.pull(1_000)
    #expect(timebase.rate == -2)
    #expect(timebase.time == MediaTime(value: 3, timescale: 1))
    let fired = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "timer")
    let timer = timebase.addTimer(at: MediaTime(value: 5, timescale: 2), queue: queue) {
      fired.signal()
    }
    _ = playback.pull(400)
    #expect(fired.wait(timeout: .now() + 0.1) == .timedOut)
    _ = playback.pull(100)
    #expect(fired.wait(timeout: .now() + 10) == .success)
    withExtendedLifetime(timer) {}
  }

  @Test func `a rate that is set on the synchronizer turns its player round`() {
    let playback = ReversedPlayback(["ramp 1 8000"])
    let player = playback.player
    player.play()
    _ = playback.pull(3_000)
    player.synchronizer.rate = -1
    playback.offline.settle()
    playback.expect(playback.pull(1_000), isItem: 1, downFrom: 2_999, skipping: 10)
    #expect(player.rate == -1)
    let edit: Edit = player.seek(to: time(1_000))
    #expect(edit.identities.count == 1)
    playback.offline.settle()
    _ = playback.pull(100)
    #expect(player.rate == -1)
    #expect(player.currentTime == time(900))
  }

  @Test(arguments: [950, 1_050])
  func `what is told of a turn near a joint is what is heard`(place: Int) async {
    let playback = ReversedPlayback(["ramp 1 1000", "ramp 2 8000"])
    let events = playback.player.events
    playback.player.play()
    _ = playback.pull(place)
    playback.turn(to: -1)
    _ = playback.pullToEnd()
    var told: [String] = []
    for await event in events {
      switch event {
      case .currentItemDidChange(let item?): told.append("current \(item.path)")
      case .itemDidFinish(let item): told.append("finished \(item.path)")
      default: break
      }
      if event.isLast { break }
    }
    let joint = ["finished ramp 1 1000", "current ramp 2 8000"]
    let back = ["finished ramp 2 8000", "current ramp 1 1000"]
    #expect(
      told == ["current ramp 1 1000"] + (place > 1_000 ? joint + back : [])
        + ["finished ramp 1 1000"])
  }

  @Test func `a turn that is taken back leaves nothing out`() {
    let playback = ReversedPlayback(["ramp 1 8000", "ramp 2 8000"])
    let player = playback.player
    player.play()
    _ = playback.pull(3_000)
    for _ in 0..<20 {
      player.rate = -1
      player.rate = 1
    }
    playback.offline.settle()
    let heard = playback.pull(1_000)
    playback.expect(heard, isItem: 1, upFrom: 3_000, skipping: 10)
    #expect(player.rate == 1)
  }

  @Test func `a boundary is due once in a reversed traversal, in the order of hearing`() {
    var schedule = ObserverSchedule()
    schedule.addBoundaries([30, 10, 20], id: 1)
    schedule.addBoundaries([20, 5], id: 2)
    // From media time 30 down.
    _ = schedule.jumped(to: -30, isReversed: true)
    #expect(schedule.nextDue(in: 0) == -20)
    var told = schedule.ran(to: -20, traversal: 0)
    #expect(told.map(\.id) == [1, 2])
    #expect(told.map(\.told) == [20, 20])
    told = schedule.ran(to: -20, traversal: 0)
    #expect(told.isEmpty)
    #expect(schedule.nextDue(in: 0) == -10)
    told = schedule.ran(to: 3, traversal: 0)
    #expect(told.map(\.told) == [10, 5])
    #expect(schedule.nextDue(in: 0) == nil)
  }
}
