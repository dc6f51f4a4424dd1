// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio
@testable import PulseDevice
import TestSeeds
import Testing

import Attacca

/// Where a rewrite has to begin, on a sink that takes blocks of a known length at known times.
@Suite struct RewriteMarginTests {
  /// A sink as its reports show it; time begins with a block being taken.
  private struct Sink {
    var block: Int64
    /// Whether reports tell what is rendered ahead.
    var tells = true
    /// A delay behind what it has rendered, nanoseconds.
    var delay: Int64 = 0

    /// The read index at a time in nanoseconds.
    func read(at time: Int64) -> StreamFrame {
      StreamFrame((time * 48 / 1_000_000 / block + 1) * block)
    }

    func report(at time: Int64, roundTrip: UInt64 = 200_000) -> TimingReport {
      let ahead = read(at: time).number * 1_000_000 / 48 - time
      return TimingReport(
        readFrame: read(at: time).number, writeFrame: 1 << 40,
        sinkLatency: tells ? ahead + delay : 0,
        hostTime: UInt64(time), roundTrip: roundTrip)
    }
  }

  /// Pairs of reports in quick succession at irregular times, as splices make them.
  private func learn(_ margin: inout RewriteMargin, _ sink: Sink, from start: Int64 = 0) -> Int64 {
    var time = start
    for i in 0..<200 {
      time += 37_000_001 + Int64(i % 7) * 1_300_000
      margin.note(sink.report(at: time))
      time += 700_000
      margin.note(sink.report(at: time))
    }
    return time
  }

  @Test(arguments: [(48, true), (96, true), (2_400, true), (1_024, false)])
  func `what must not be late is in time although it comes 8 ms after it was expected`(
    block: Int64, tells: Bool
  ) {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: block, tells: tells)
    var time = learn(&margin, sink)
    for _ in 0..<1_000 {
      time += 41_234_567
      let report = sink.report(at: time)
      margin.note(report)
      let frame = margin.safe(report, now: UInt64(time), writeTime: 100_000)
      #expect(frame >= sink.read(at: time + 8_300_000))
    }
  }

  @Test(arguments: [(48, true), (96, true), (2_400, true), (256, false), (1_024, false)])
  func `a rewrite is in time, and at most a block late of what was possible`(
    block: Int64, tells: Bool
  ) {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: block, tells: tells)
    var time = learn(&margin, sink)
    for _ in 0..<1_000 {
      time += 41_234_567
      let report = sink.report(at: time)
      margin.note(report)
      let frame = margin.replaceable(report, now: UInt64(time + 100_000), writeTime: 100_000)
      // It takes as long as the slowest answer, the write, and the least margin.
      let readThen = sink.read(at: time + 100_000 + 200_000 + 100_000 + 1_000_000)
      #expect(frame >= readThen, "at \(time)")
      #expect(frame <= readThen + block + 96, "at \(time)")
    }
  }

  @Test(arguments: [1, 8]) func `one answer that took long is forgotten with the next`(usual: Int) {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: 480)
    var time = learn(&margin, sink)
    margin.note(sink.report(at: time, roundTrip: 1_600_000_000))
    for _ in 0..<usual {
      time += 450_000_000
      margin.note(sink.report(at: time))
    }
    let report = sink.report(at: time)
    let read = sink.read(at: time)
    // 20 ms to answer and 20 ms to write, on a machine that is known to be so busy.
    let latest = read + 480 + 41 * 48
    #expect(margin.replaceable(report, now: UInt64(time), writeTime: 100_000) <= latest)
    #expect(margin.safe(report, now: UInt64(time), writeTime: 100_000) <= latest)
  }

  /// As PipeWire's null sink reported it: three reports at a start, and one half a second later.
  @Test func `an index that advanced by one block at least tells how long a block is`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: 2_048, tells: false)
    var time: Int64 = 40_000_000
    for pause in [14_000_000, 42_000_000, 520_000_000] as [Int64] {
      margin.note(sink.report(at: time))
      time += pause
    }
    // A millisecond before the next block.
    time += 42_666_667 - time % 42_666_667 - 1_000_000
    let report = sink.report(at: time)
    margin.note(report)
    let soonest = margin.soonest(report, now: UInt64(time), writeTime: 500_000)
    #expect(soonest >= sink.read(at: time + 1_000_001))
    #expect(soonest <= sink.read(at: time + 1_000_001) + 96)
  }

  @Test func `a sink that takes shorter blocks than it did is believed`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    let time = learn(&margin, Sink(block: 2_400))
    #expect(margin.largestBlock > 2_000)
    _ = learn(&margin, Sink(block: 96), from: time)
    #expect(margin.largestBlock <= 96)
  }

  @Test func `a sink that takes longer blocks than it did is believed`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    let time = learn(&margin, Sink(block: 96))
    _ = learn(&margin, Sink(block: 2_400), from: time)
    #expect(margin.largestBlock > 2_000)
  }

  @Test func `a device's own delay is not time for a rewrite, once one was late`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: 480, delay: 150_000_000)
    var time = learn(&margin, sink)
    let report = sink.report(at: time)
    #expect(
      margin.replaceable(report, now: UInt64(time), writeTime: 100_000) == report.read)
    margin.wasLate(by: 480)
    time = learn(&margin, sink, from: time)
    for _ in 0..<100 {
      time += 41_234_567
      let report = sink.report(at: time)
      margin.note(report)
      let frame = margin.replaceable(report, now: UInt64(time), writeTime: 100_000)
      #expect(frame >= sink.read(at: time + 1_300_000))
    }
  }

  @Test func `a slow answer makes the rewrites after it more careful for a while`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: 96)
    let time = learn(&margin, sink)
    let usual = margin.replaceable(sink.report(at: time), now: UInt64(time), writeTime: 0)
    margin.note(sink.report(at: time, roundTrip: 10_000_000))
    let careful = margin.replaceable(sink.report(at: time), now: UInt64(time), writeTime: 0)
    #expect(careful >= usual + 9 * 48)
  }

  @Test
  func `on a machine too slow for the least margin, one rewrite in a hundred is late at most`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: 96)
    var time = learn(&margin, sink)
    var late = 0
    for i in 0..<2_000 {
      time += 41_234_567
      let report = sink.report(at: time, roundTrip: 100_000)
      margin.note(report, drift: 0)
      let frame = margin.replaceable(report, now: UInt64(time), writeTime: 0)
      // From 0 to 2 ms, evenly.
      let read = sink.read(at: time + Int64(i * 7 % 20) * 100_000)
      if read > frame {
        late += 1
        margin.wasLate(by: read - frame)
      } else {
        margin.wasInTime()
      }
    }
    #expect((1...20).contains(late), "\(late)")
  }

  @Test
  func
    `a rewrite that can be delayed begins with the next block, and where it is late, with the one after`()
  {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: 96)
    var time = learn(&margin, sink)
    for i in 0..<2_000 {
      time += 41_234_567
      let report = sink.report(at: time, roundTrip: 100_000)
      margin.note(report, drift: 0)
      let frame = margin.soonest(report, now: UInt64(time), writeTime: 0)
      // One in ten takes 1 ms instead of 0.1 ms; the answer that shows it comes 0.1 ms later.
      time += i % 10 == 0 ? 1_000_000 : 100_000
      let read = sink.read(at: time)
      #expect(frame <= read + 2 * 96, "at \(time)")
      time += 100_000
      let answer = sink.report(at: time, roundTrip: 100_000)
      margin.note(answer, drift: 0)
      if read <= frame {
        margin.wasInTime()
      } else {
        margin.wasDelayed()
        #expect(
          margin.replaceable(answer, now: UInt64(time), writeTime: 0) == answer.read,
          "at \(time)")
      }
      #expect(margin.largestBlock <= 96)
    }
  }

  @Test func `a rewrite that can be delayed is given 0.2 ms more than an answer and a write take`()
  {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: 96)
    let time = learn(&margin, sink)
    let report = sink.report(at: time, roundTrip: 150_000)
    margin.note(report, drift: 0)
    let due = report.hostTime + UInt64(report.sinkLatency)
    func soonest(before: UInt64) -> StreamFrame {
      margin.soonest(report, now: due - before, writeTime: 50_000)
    }
    #expect(soonest(before: 401_000) == report.read)
    #expect(soonest(before: 399_000) >= report.read + 96)
  }

  @Test(arguments: [96, 192, 480])
  func `a rewrite that misses a block of known length begins with the one behind it`(block: Int64) {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: block)
    let time = learn(&margin, sink)
    let report = sink.report(at: time, roundTrip: 200_000)
    margin.note(report, drift: 0)
    let due = report.hostTime + UInt64(report.sinkLatency)
    /// Frames from the read index on, of a rewrite that is sure to be there in 1.3 ms, and `late` behind the next block.
    func distance(late: UInt64) -> Int64 {
      margin.replaceable(report, now: due - 1_300_000 + late, writeTime: 100_000) - report.read
    }
    let length = UInt64(block) * 1_000_000 / 48
    // A block is learnt to half a millisecond.
    let next = block...block + 24
    #expect(next.contains(distance(late: 10_000)))
    #expect(next.contains(distance(late: length - 540_000)))
    #expect(distance(late: length + 10_000) >= 2 * block)
  }

  @Test func `the newest report is no more known of another sink`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    let report = Sink(block: 96).report(at: 1_000_000)
    margin.note(report)
    #expect(margin.newestReport == report)
    margin.forgetBlocks()
    #expect(margin.newestReport == nil)
  }

  /// How far beyond the read index a rewrite begins at a sink that takes a block at any moment.
  private func frames(_ rewrite: (TimingReport, UInt64) -> StreamFrame) -> Int64 {
    let report = Sink(block: 96).report(at: 9_000_000_000)
    return rewrite(report, report.hostTime + 10_000_000) - report.read
  }

  @Test func `a rewrite that was late gives those after it more time, until many were in time`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    _ = learn(&margin, Sink(block: 96))
    func replaceable() -> Int64 { frames { margin.replaceable($0, now: $1, writeTime: 0) } }
    let usual = replaceable()
    margin.wasLate(by: 1)
    let (careful, block) = (replaceable(), margin.largestBlock)
    // Of a margin of 1 ms another one, and the block is not sure any more.
    #expect(careful >= usual + 48)
    for _ in 0..<90 { margin.wasInTime() }
    #expect(careful - replaceable() == 28)
    for _ in 0..<200 { margin.wasInTime() }
    #expect(careful - replaceable() == 48)
    #expect(margin.largestBlock == block)
  }

  @Test func `a rewrite that was delayed gives those after it more time, until some were in time`()
  {
    var margin = RewriteMargin(sampleRate: 48_000)
    _ = learn(&margin, Sink(block: 96))
    func soonest() -> Int64 { frames { margin.soonest($0, now: $1, writeTime: 0) } }
    let usual = soonest()
    margin.wasDelayed()
    #expect(soonest() == usual + 12)
    margin.wasDelayed()
    #expect(soonest() == usual + 24)
    for _ in 0..<20 { margin.wasDelayed() }
    #expect(soonest() == usual + 384)
    for _ in 0..<900 { margin.wasInTime() }
    #expect(soonest() == usual)
  }

  /// How far beyond the read index a rewrite begins that comes 4 ms before a block of 5.3 ms is
  /// taken, `seconds` after the last report.
  private func frames(afterNothingFor seconds: Int64, drift: Double?) -> Int64 {
    var margin = RewriteMargin(sampleRate: 48_000)
    let sink = Sink(block: 256, tells: false)
    let length: Int64 = 16_000_000 / 3
    var time = learn(&margin, sink)
    // Right before a block: how long the index stands still is known.
    time = (time / length + 2) * length - 10_000
    margin.note(sink.report(at: time), drift: drift)
    time = (time / length + seconds * 1_000_000_000 / length) * length + length - 4_000_000
    let report = sink.report(at: time)
    margin.note(report, drift: drift)
    return margin.replaceable(report, now: UInt64(time), writeTime: 0) - report.read
  }

  @Test func `a sink whose drift is known is relied on for longer`() {
    #expect(frames(afterNothingFor: 1, drift: nil) == 0)
    #expect(frames(afterNothingFor: 30, drift: nil) >= 256)
    #expect(frames(afterNothingFor: 30, drift: 0) == 0)
    // 120 ppm faster: a block is taken 3.6 ms earlier after 30 s.
    #expect(frames(afterNothingFor: 30, drift: 120) >= 256)
  }

  @Test func `only a sink that says nothing of its blocks has to be watched`() {
    var margin = RewriteMargin(sampleRate: 48_000)
    #expect(margin.mustWatchIndex)
    margin.note(Sink(block: 256).report(at: 1_000_000))
    #expect(!margin.mustWatchIndex)
    margin.note(Sink(block: 256, tells: false).report(at: 7_000_000))
    #expect(margin.mustWatchIndex)
  }

  /// Of 2,000 rewrites where one question in four is answered with what the server had read up to 9 ms before: those
  /// that were late, those that were told as late or may have been, and those that were late and not told.
  ///
  /// Of these those count that came 3 ms behind their cycle: where that falls is known to a millisecond or two.
  private func rewrites(
    block: Int64, isLate: Bool, seed: UInt64
  ) -> (late: Int, told: Int, untold: Int) {
    var (margin, random) = (RewriteMargin(sampleRate: 48_000), SplitMix64(seed: seed))
    let sink = Sink(block: block, tells: false)
    var time = learn(&margin, sink)
    var known = time
    func report() -> TimingReport {
      let isOld = isLate && Int.random(in: 0..<4, using: &random) == 0
      let told = isOld ? time - Int64.random(in: 0..<9_000_000, using: &random) : time
      known = max(known, told)
      return TimingReport(
        readFrame: sink.read(at: known).number, writeFrame: 1 << 40, sinkLatency: 0,
        hostTime: UInt64(time), roundTrip: 100_000)
    }
    var result = (late: 0, told: 0, untold: 0)
    for _ in 0..<2_000 {
      time += Int64.random(in: 20_000_000..<500_000_000, using: &random)
      let before = report()
      margin.note(before, drift: 0)
      var check = RewriteCheck()
      let frame = margin.soonest(before, now: UInt64(time), writeTime: 0)
      check.rewrote(from: frame, isAsked: true)
      check.began(at: before.read)
      time += isLate ? Int64.random(in: 100_000..<9_000_000, using: &random) : 100_000
      let isOvertaken = sink.read(at: time) > frame
      let answer = report()
      margin.note(answer, drift: 0)
      let verdict = check.judge(
        read: answer.read, mayHaveRead: margin.mayHaveRead, isRunning: true, soonest: 0)
      result.late += isOvertaken ? 1 : 0
      result.told += verdict == .inTime ? 0 : 1
      let isLong = sink.read(at: time - 3_000_000) > frame
      result.untold += isLong && verdict == .inTime ? 1 : 0
    }
    return result
  }

  @Test(arguments: [256, 1_024, 2_048])
  func `a rewrite that was late is told where the server tells late what it has read`(
    block: Int64
  ) {
    let seed = UInt64.random(in: 0...(.max))
    let slow = rewrites(block: block, isLate: true, seed: seed)
    #expect(slow.late > 20 && slow.untold == 0, "seed \(seed): \(slow)")
    #expect(slow.told < 3 * slow.late, "seed \(seed): \(slow)")
    let prompt = rewrites(block: block, isLate: false, seed: seed)
    #expect(prompt.late == 0 && prompt.told == 0, "seed \(seed): \(prompt)")
  }
}
