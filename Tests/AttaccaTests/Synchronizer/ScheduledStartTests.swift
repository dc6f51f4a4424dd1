// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import TestSeeds
import Testing

/// Starts at a host time, by the clock of what is pulled.
@Suite struct ScheduledStartTests {
  private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 48_000) }

  /// A pulled line with `seconds` seconds of numbered frames, at rate 0.
  private func line(seconds: Int = 2) -> PulledLine {
    let line = PulledLine()
    for i in 0..<seconds {
      line.renderer.enqueue(
        buffer(ramp(48_000 * i + 1, 48_000), atFrame: Int64(48_000 * i)))
    }
    return line
  }

  private func hostTime(_ frame: Int64, _ line: PulledLine) -> MediaTime {
    HostClock.mediaTime(ofNanoseconds: line.renderer.hostTime(ofStreamFrame: frame))
  }

  private func silence(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  @Test func `an offline frame and its host time are each other's`() {
    for rate in [44_100, 48_000, 96_000] {
      let renderer = OfflineRenderer(format: AudioFormat(sampleRate: rate, layout: .mono))
      for frame in [-48_001, -1, 0, 1, 999, 1_000_003] as [Int64] {
        let time = renderer.hostTime(ofStreamFrame: frame)
        #expect(renderer.clock.streamFrame(atHostTime: time) == frame)
        #expect(renderer.clock.streamFrame(atHostTime: time - 1) == frame - 1)
      }
      #expect(renderer.clock.partsPerMillion == nil)
    }
    let clock = NullRenderer().clock
    #expect(clock.partsPerMillion == 0 && clock.streamFrame(atHostTime: 0) == nil)
  }

  @Test func `a start ahead holds, and its first frame is the one of that host time`() {
    let line = line()
    let synchronizer = line.synchronizer
    let timebase = synchronizer.timebase
    synchronizer.setRate(1, time: frames(500), atHostTime: hostTime(1_000, line))
    #expect(synchronizer.rate == 1 && timebase.rate == 0)
    #expect(synchronizer.currentTime() == frames(500))
    #expect(line.pull(999) == silence(999))
    #expect(synchronizer.currentTime() == frames(500) && timebase.rate == 0)
    #expect(line.pull(3) == [0] + ramp(501, 2))
    #expect(synchronizer.currentTime() == frames(502) && timebase.rate == 1)
  }

  @Test func `a start behind is where it would be by now`() {
    let line = line()
    line.synchronizer.setRate(1, time: frames(500), atHostTime: hostTime(-100, line))
    #expect(line.synchronizer.currentTime() == frames(600))
    #expect(line.pull(10) == ramp(601, 10))
    // And so while it plays: from what it would be, without a pause.
    line.synchronizer.setRate(1, time: frames(20_000), atHostTime: hostTime(-90, line))
    #expect(line.pull(10) == ramp(20_101, 10))
  }

  @Test func `a start ahead while playing falls silent first`() {
    let line = line()
    line.synchronizer.fade = Fade(milliseconds: 1)
    line.synchronizer.setRate(1, time: .zero)
    #expect(line.pull(100) == ramp(1, 100))
    line.synchronizer.setRate(1, time: frames(30_000), atHostTime: hostTime(500, line))
    #expect(line.synchronizer.currentTime() == frames(30_000))
    let heard = line.pull(600)
    // 48 frames going out, silence, and 48 coming in: the middle of a sound.
    let fade = zip(heard, ramp(101, 48)).allSatisfy { $0 <= $1 && $0 > 0 }
    #expect(fade)
    #expect(Array(heard[48..<400]) == silence(352))
    #expect(heard[401] > 0 && Array(heard[448...]) == ramp(30_049, 152))
  }

  @Test func `what comes between replaces a scheduled start`() {
    for replacing in [{ $0.rate = 0 }, { $0.setRate(0, time: .zero) }]
      as [(RenderSynchronizer) -> Void]
    {
      let line = line()
      line.synchronizer.setRate(1, time: frames(10), atHostTime: hostTime(100, line))
      #expect(line.pull(50) == silence(50))
      replacing(line.synchronizer)
      #expect(line.pull(200).isEmpty)
      line.synchronizer.setRate(1, time: frames(17))
      #expect(line.pull(2) == ramp(18, 2))
    }
    let line = line()
    for (media, frame) in [(100, 100), (200, 300), (300, 200)] as [(Int64, Int64)] {
      line.synchronizer.setRate(1, time: frames(media), atHostTime: hostTime(frame, line))
    }
    #expect(line.pull(202) == silence(200) + ramp(301, 2))
  }

  @Test func `an invalid time or host time leaves the other`() {
    let line = line()
    line.synchronizer.setRate(1, time: frames(9), atHostTime: .invalid)
    #expect(line.pull(1) == [10])
    line.synchronizer.rate = 0
    line.synchronizer.setRate(1, time: .invalid, atHostTime: hostTime(5_000, line))
    #expect(line.pull(1) == [11])
    line.synchronizer.setRate(0, time: frames(77), atHostTime: hostTime(9_000, line))
    #expect(line.pull(1).isEmpty && line.synchronizer.currentTime() == frames(77))
  }

  @Test func `a start without content holds until there is some`() {
    let line = PulledLine()
    line.synchronizer.setRate(1, time: frames(40), atHostTime: hostTime(100, line))
    #expect(line.pull(60) == silence(60))
    line.renderer.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    #expect(line.pull(42) == silence(40) + ramp(41, 2))
  }

  @Test func `random starts are right to the frame, with conversion and without`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    for rate in [48_000, 44_100, 96_000] {
      func made() -> PulledLine {
        let line = PulledLine()
        line.renderer.enqueue(
          buffer(ramp(1, 2 * rate), rate: rate, at: RationalTime(frames: 0, rate: 48_000)))
        return line
      }
      let whole = made()
      whole.synchronizer.rate = 1
      let reference = whole.pull(90_000)
      for _ in 0..<20 {
        let line = made()
        let media = Int.random(in: 0..<40_000, using: &random)
        let start = Int.random(in: -20_000..<20_000, using: &random)
        line.synchronizer.setRate(
          1, time: frames(Int64(media)), atHostTime: hostTime(Int64(start), line))
        let heard = line.pull(max(start, 0) + 10)
        let first = media + max(-start, 0)
        #expect(
          heard == silence(max(start, 0)) + reference[first..<(first + 10)],
          "seed \(seed), rate \(rate): \(media) at \(start)")
      }
    }
  }

  @Test func `two renderers start at the frame of each`() {
    let line = line()
    // 10 s: a start that lies in the past by the time it is asked for is another thing.
    let count = 480_001
    let second = OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .mono))
    second.enqueue(buffer(ramp(1, 48_000), atFrame: 0))
    let start = second.hostTime(ofStreamFrame: Int64(count - 1))
    line.synchronizer.setRate(
      1, time: frames(3), atHostTime: HostClock.mediaTime(ofNanoseconds: start))
    // Added before the start, it starts with it.
    line.synchronizer.addRenderer(second)
    var heard = [Float](repeating: .nan, count: count)
    #expect(second.render(frames: count, into: &heard) == count)
    #expect(heard.firstIndex { $0 != 0 } == count - 1 && heard.last == 4)
    // Made earlier, the first one's frame is a later one.
    let frame = line.renderer.clock.streamFrame(atHostTime: start)!
    #expect(frame >= count - 1 && line.pull(Int(frame) + 1).suffix(2) == [0, 4])
  }

  @Test func `without a renderer time holds until the host time, and is extrapolated after it`() {
    var host = HostTimebase()
    host.set(rate: 1, ticks: 100, at: 5_000_000_000)
    let before = host.reading(atHostTime: 4_000_000_000)
    #expect(before.ticks == 100 && !before.isRunning && before.changesAt == 5_000_000_000)
    let after = host.reading(atHostTime: 6_000_000_000)
    #expect(after.ticks == 100 + 28_224_000 && after.isRunning && after.changesAt == nil)
    let synchronizer = RenderSynchronizer()
    synchronizer.setRate(
      1, time: frames(48_000), atHostTime: HostClock.time - MediaTime(value: 10, timescale: 1))
    #expect(synchronizer.currentTime() >= MediaTime(value: 11, timescale: 1))
  }

  @Test func `a host time that is no number traps`() async {
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      RenderSynchronizer().setRate(1, time: .zero, atHostTime: .positiveInfinity)
    }
    #expect(end.says("a host time of {+INFINITY}; invalid, 0 and later numbers are permitted"))
  }
}
