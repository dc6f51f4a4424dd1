// SPDX-License-Identifier: Apache-2.0
import PulseAudio
import TestSeeds
import Testing

/// A device's clock that is told, or asked, what cannot be.
@Suite struct ClockFaultTests {
  private func clock(reports: Int = 30) -> DeviceClock {
    var clock = DeviceClock(sampleRate: 48_000)
    for i in 1...reports {
      let time = UInt64(i) * 500_000_000
      clock.update(
        TimingReport(
          readFrame: Int64(i) * 24_000, writeFrame: 0, sinkLatency: 20_000_000, hostTime: time),
        now: time)
    }
    return clock
  }

  @Test func `frames that are never heard, and times that never come, have an answer`() {
    let line = clock().line
    #expect(line.isRunning)
    for frame in [Int64.max, 1 << 60, .min, -(1 << 60)] {
      let time = line.hostTime(ofFrame: frame)
      #expect(frame > 0 ? time == .max : time == 0)
    }
    #expect(line.heardFrame(atHostTime: .max) > 1 << 48)
    #expect(line.heardFrame(atHostTime: 1 << 63) > 1 << 47)
    #expect(line.heardFrame(atHostTime: 0) <= 0)
  }

  @Test func `reports of a server that says anything leave a clock that does not step back`() {
    var random = SplitMix64()
    print("reports, seed \(random.seed)")
    for _ in 0..<300 {
      var clock = DeviceClock(sampleRate: [1, 44_100, 768_000].randomElement(using: &random) ?? 1)
      var now: UInt64 = 1_000_000_000
      var shown = Int64.min
      for _ in 0..<60 {
        let scale = UInt64.random(in: 0...40, using: &random)
        now += UInt64.random(in: 0...(1 << scale), using: &random)
        let frame = Int64.random(in: .min...(.max), using: &random)
        clock.update(
          TimingReport(
            readFrame: frame >> Int64.random(in: 0...63, using: &random), writeFrame: 0,
            sinkLatency: .random(in: 0...(.max), using: &random)
              >> Int64.random(in: 0...62, using: &random),
            hostTime: now - min(now, UInt64.random(in: 0...2_000_000_000, using: &random)),
            roundTrip: .random(in: 0...(.max), using: &random)),
          now: now)
        let heard = clock.line.heardFrame(atHostTime: now)
        // The first report tells where it is.
        if shown != .min, clock.line.isRunning { #expect(heard >= shown, "seed \(random.seed)") }
        if clock.line.isRunning { shown = heard }
        _ = clock.estimatedFrame(atHostTime: .random(in: 0...(.max), using: &random))
        if Bool.random(using: &random) { clock.hold(atHostTime: now) }
        _ = clock.line.hostTime(ofFrame: frame)
        _ = clock.line.heardFrame(atHostTime: .random(in: 0...(.max), using: &random))
      }
    }
  }

  @Test func `a report of absurd length tells no frames but the most there are`() {
    let report = TimingReport(
      readFrame: .max, writeFrame: 0, sinkLatency: .max, hostTime: .max, isPlaying: false)
    #expect(report.framesRenderedAhead(sampleRate: 768_000) > 0)
  }
}
