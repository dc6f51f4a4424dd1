// SPDX-License-Identifier: Apache-2.0
import PulseAudio
import Testing

/// A sink that is observed as servers report it: at `rate` for certain, reported late or in blocks.
private struct SimulatedSink {
  var rate: Double
  /// Frames that the read index advances by; it is reported without a latency, as PipeWire does.
  var block = 1.0
  /// The worst delay of a stamp, in nanoseconds.
  var jitter = 0.0
  var start: UInt64 = 5_000_000_000
  var random: Xorshift

  init(rate: Double, block: Double = 1, jitter: Double = 0, seed: UInt64) {
    (self.rate, self.block, self.jitter, random) = (rate, block, jitter, Xorshift(state: seed))
  }

  func heard(at time: UInt64) -> Double { Double(time - start) * rate / 1e9 }

  mutating func report(at time: UInt64) -> TimingReport {
    let late = UInt64(Double(random.next() % 1000) / 1000 * jitter)
    let frame = (heard(at: time) / block).rounded(.down) * block
    return TimingReport(
      readFrame: Int64(frame) + 4800, writeFrame: 0, sinkLatency: 100_000_000,
      hostTime: time + late)
  }
}

/// Marsaglia's xorshift64, so that a run can be repeated.
private struct Xorshift {
  var state: UInt64
  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

@Suite struct `Device clock` {
  private static let seed: UInt64 = 0x5EED_0001

  /// Runs a clock over `seconds` of reports and gives its worst error in frames after `settled`.
  private func worstError(
    _ sink: inout SimulatedSink, clock: inout DeviceClock, seconds: Int, every interval: UInt64,
    settled: Int
  ) -> Double {
    var worst = 0.0
    var last = Int64.min
    let end = sink.start + UInt64(seconds) * 1_000_000_000
    var time = sink.start + interval
    while time < end {
      let report = sink.report(at: time)
      clock.update(report, now: report.hostTime + 200_000)
      var moment = report.hostTime + 200_000
      while moment < report.hostTime + interval {
        let heard = clock.line.heardFrame(atHostTime: moment)
        #expect(heard >= last, "\(heard) after \(last) at \(moment), seed \(Self.seed)")
        last = heard
        if moment > sink.start + UInt64(settled) * 1_000_000_000 {
          worst = max(worst, abs(Double(heard) - sink.heard(at: moment)))
        }
        moment += interval / 4
      }
      time += interval
    }
    return worst
  }

  @Test func `exact reports give the exact frame and the drift`() {
    var sink = SimulatedSink(rate: 48_000 * 1.0001, seed: Self.seed)
    var clock = DeviceClock(sampleRate: 48_000)
    let worst = worstError(&sink, clock: &clock, seconds: 60, every: 50_000_000, settled: 15)
    // Whole frames are reported, and whole frames are given.
    #expect(worst <= 2)
    #expect(abs(clock.partsPerMillion - 100) < 2)
  }

  @Test func `stamps that are up to a millisecond late move it by a tenth of that`() {
    var sink = SimulatedSink(rate: 48_000 * 0.9999, jitter: 1_000_000, seed: Self.seed)
    var clock = DeviceClock(sampleRate: 48_000)
    let worst = worstError(&sink, clock: &clock, seconds: 60, every: 50_000_000, settled: 15)
    #expect(worst <= 5, "seed \(Self.seed)")
    #expect(abs(clock.partsPerMillion + 100) < 10, "seed \(Self.seed)")
  }

  @Test func `a read index in blocks of 2048 frames is smoothed to a tenth of a block`() {
    var sink = SimulatedSink(rate: 48_000 * 1.00005, block: 2048, jitter: 100_000, seed: Self.seed)
    var clock = DeviceClock(sampleRate: 48_000)
    let worst = worstError(&sink, clock: &clock, seconds: 60, every: 47_000_000, settled: 15)
    #expect(worst <= 205, "seed \(Self.seed)")
  }

  @Test func `a frame is heard at the time that the clock gives for it`() throws {
    var sink = SimulatedSink(rate: 44_100 * 1.0001, jitter: 300_000, seed: Self.seed)
    sink.block = 1
    var clock = DeviceClock(sampleRate: 44_100)
    for i in 1...300 {
      clock.update(
        sink.report(at: sink.start + UInt64(i) * 50_000_000),
        now: sink.start + UInt64(i) * 50_000_000 + 400_000)
    }
    // Across the bend of the line, which is 200 ms after its start.
    for frame in stride(from: Int64(662_000), to: 700_000, by: 997) {
      let time = try #require(clock.line.hostTime(ofFrame: frame))
      #expect(abs(clock.line.heardFrame(atHostTime: time + 1000) - frame) <= 1)
      #expect(clock.line.heardFrame(atHostTime: time - 1000) < frame)
    }
  }

  @Test func `it stands while frozen and goes on from there`() {
    var sink = SimulatedSink(rate: 48_000, seed: Self.seed)
    var clock = DeviceClock(sampleRate: 48_000)
    for i in 1...40 {
      let time = sink.start + UInt64(i) * 50_000_000
      clock.update(sink.report(at: time), now: time)
    }
    let pause = sink.start + 2_025_000_000
    let held = clock.line.heardFrame(atHostTime: pause)
    #expect(abs(held - 97_200) <= 1)
    clock.freeze(atHostTime: pause)
    #expect(!clock.line.isRunning)
    #expect(clock.line.heardFrame(atHostTime: pause + 60_000_000_000) == held)
    #expect(clock.line.hostTime(ofFrame: held + 1) == nil)

    // A minute later the sink goes on with the next frame, and says so a block too early.
    sink.start += 60_000_000_000
    var last = held
    for i in 41...100 {
      let time = sink.start + UInt64(i) * 50_000_000
      clock.update(sink.report(at: time), now: time)
      let now = clock.line.heardFrame(atHostTime: time)
      #expect(now >= last)
      last = now
    }
    let end = sink.start + 5_000_000_000
    #expect(abs(clock.line.heardFrame(atHostTime: end) - 240_000) <= 2)
  }

  @Test func `a sink that stood still for 2 s is followed within a second, never backwards`() {
    var sink = SimulatedSink(rate: 48_000, jitter: 200_000, seed: Self.seed)
    var clock = DeviceClock(sampleRate: 48_000)
    _ = worstError(&sink, clock: &clock, seconds: 10, every: 50_000_000, settled: 1)
    let before = clock.line.heardFrame(atHostTime: sink.start + 10_000_000_000)
    sink.start += 2_000_000_000
    var last = Int64.min
    for i in 200...270 {
      let time = sink.start + UInt64(i) * 50_000_000
      clock.update(sink.report(at: time), now: time + 250_000)
      let now = clock.line.heardFrame(atHostTime: time + 250_000)
      #expect(now >= last)
      last = now
    }
    #expect(last > before)
    #expect(abs(Double(last) - sink.heard(at: sink.start + 270 * 50_000_000 + 250_000)) < 20)
  }

  @Test func `a clock that held believes a report of a sink that stood still, and shows no less`() {
    var sink = SimulatedSink(rate: 48_000, jitter: 200_000, seed: Self.seed)
    var clock = DeviceClock(sampleRate: 48_000)
    _ = worstError(&sink, clock: &clock, seconds: 10, every: 50_000_000, settled: 1)
    let held = sink.start + 11_000_000_000
    let shown = clock.line.heardFrame(atHostTime: held)
    clock.hold(atHostTime: held)
    #expect(clock.line.heardFrame(atHostTime: held + 1_000_000_000) == shown)
    // It stood still for two seconds from the last report on: one of them is shown, and is not taken back.
    sink.start += 2_000_000_000
    let time = sink.start + 10_100_000_000
    clock.update(sink.report(at: time), now: time)
    #expect(clock.line.heardFrame(atHostTime: time) == shown)
    let estimate = clock.estimatedFrame(atHostTime: time) ?? 0
    #expect(abs(Double(estimate) - sink.heard(at: time)) < 20)
    let later = clock.line.heardFrame(atHostTime: time + 1_500_000_000)
    #expect(later > shown && abs(Double(later) - sink.heard(at: time + 1_500_000_000)) < 20)
  }

  @Test func `a clock that held goes on as it did where the sink has not stood still`() {
    var sink = SimulatedSink(rate: 48_000, block: 2_048, seed: Self.seed)
    var clock = DeviceClock(sampleRate: 48_000)
    _ = worstError(&sink, clock: &clock, seconds: 10, every: 50_000_000, settled: 1)
    clock.hold(atHostTime: sink.start + 10_500_000_000)
    let time = sink.start + 11_020_000_000
    clock.update(sink.report(at: time), now: time)
    // All reports count, not the last one alone, which is up to a block late.
    let estimate = clock.estimatedFrame(atHostTime: time) ?? 0
    #expect(abs(Double(estimate) - sink.heard(at: time)) < 205)
    #expect(clock.line.heardFrame(atHostTime: time) == estimate)
  }

  @Test func `reports of a sink that takes no frames, or with a corrupt index, change nothing`() {
    var clock = DeviceClock(sampleRate: 48_000)
    let idle = TimingReport(
      readFrame: 9600, writeFrame: 0, sinkLatency: 0, hostTime: 1_000_000, isPlaying: false)
    let corrupt = TimingReport(
      readFrame: 9600, writeFrame: 0, sinkLatency: 0, hostTime: 1_000_000,
      isReadIndexCorrupt: true)
    let used = [clock.update(idle, now: 1_000_000), clock.update(corrupt, now: 1_000_000)]
    #expect(used == [false, false])
    #expect(clock.line.heardFrame(atHostTime: 2_000_000_000) == 0)
  }

  @Test func `drift is known after ten seconds of reports, and kept over a pause`() {
    var sink = SimulatedSink(rate: 48_000 * 1.000_050, seed: Self.seed)
    var clock = DeviceClock(sampleRate: 48_000)
    for second in 0...11 {
      #expect(clock.isDriftKnown == (second > 10))
      let report = sink.report(at: sink.start + UInt64(second) * 1_000_000_000)
      clock.update(report, now: report.hostTime)
    }
    #expect(abs(clock.partsPerMillion - 50) < 5)
    clock.freeze(atHostTime: sink.start + 20_000_000_000)
    #expect(clock.isDriftKnown && abs(clock.partsPerMillion - 50) < 5)
  }
}
