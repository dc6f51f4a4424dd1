// SPDX-License-Identifier: Apache-2.0

import Listening
import PulseAudio
import TestSeeds
import Testing

@Suite struct ReferenceClockTests {
  private static let origin = 7_000_000_000

  @Test func `an answer that was held up moves no frame`() throws {
    var random = SplitMix64()
    var clock = ReferenceClock(sampleRate: 48_000, isOfCycles: false)
    for step in 1...50 {
      // 31 ms apart, with 480 frames that the sink holds; every other stamp up to 8 ms late.
      let time = step * 31_000_000
      let late = step % 2 == 0 ? Int.random(in: 0...8_000_000, using: &random) : 0
      clock.add(
        TimingReport(
          readFrame: Int64(time / 1_000_000 * 48 + 480), writeFrame: 0, sinkLatency: 10_000_000,
          hostTime: UInt64(Self.origin + time + late)))
      #expect(clock.origin == Self.origin, "seed \(random.seed)")
    }
  }

  @Test func `one answer that is early moves no frame`() {
    var clock = ReferenceClock(sampleRate: 48_000, isOfCycles: false)
    for step in 1...40 {
      let time = step * 31_000_000
      clock.add(
        TimingReport(
          readFrame: Int64(time / 1_000_000 * 48 + 480), writeFrame: 0, sinkLatency: 10_000_000,
          hostTime: UInt64(Self.origin + time - (step == 5 ? 6_600_000 : 0))))
      #expect(clock.origin == Self.origin, "answer \(step)")
    }
  }

  @Test(arguments: [256, 1_024, 2_048])
  func `PipeWire's cycles are told from when the index moves`(cycle: Int) throws {
    var random = SplitMix64()
    var clock = ReferenceClock(sampleRate: 48_000, isOfCycles: true)
    var time = 0
    var least = Int.max
    while time < 1_000_000_000 {
      time += 3_100_000 + Int.random(in: 0...300_000, using: &random)
      // What is taken at a cycle's beginning is heard from then on.
      let cycles = time * 48_000 / 1_000_000_000 / cycle
      // The first cycle is not known to be one before the index moves.
      if cycles > 0 { least = min(least, time - cycles * cycle * 1_000_000_000 / 48_000) }
      clock.add(
        TimingReport(
          readFrame: Int64((cycles + 1) * cycle), writeFrame: 0, sinkLatency: 0,
          hostTime: UInt64(Self.origin + time)))
    }
    let error = try #require(clock.origin) - Self.origin
    // The question that came soonest after a cycle's beginning says best when that was.
    #expect(abs(error - least) <= 2, "\(error) ns instead of \(least), seed \(random.seed)")
    #expect(clock.cycle == cycle)
  }

  @Test func `a moment's numbers and host times are each other's`() {
    let moment = HeardMoment(hostTime: 9_123_456_789, origin: Self.origin, sampleRate: 48_000)
    #expect(moment.number == 101_925)
    for number in [0, 1, 47_999, 48_000, 101_925, 20_000_000] {
      // Rounded down, as a frame is heard from its beginning on.
      #expect(moment.number(at: moment.hostTime(of: number) + 1) == number)
    }
  }
}
