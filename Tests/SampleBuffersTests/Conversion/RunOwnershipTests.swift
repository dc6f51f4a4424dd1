// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import TestSeeds
import Testing

/// Which timeline frames a run owns: all of them, and none more.
@Suite("Run ownership") struct RunOwnershipTests {
  static let rates = [8_000, 11_025, 22_050, 44_100, 48_000, 88_200, 96_000, 192_000, 44_101]

  @Test(arguments: rates, [48_000, 44_100])
  func `100 items of odd lengths end on the exact frame`(rate: Int, outputRate: Int) {
    var random = SplitMix64(seed: UInt64(rate + outputRate))
    var playback = Playback(rate: outputRate)
    var total: Int64 = 0
    for item in 0..<100 {
      let count = item % 10 == 3 ? 1 : Int(random.next() % 700) | 1
      let samples = [Float](repeating: 0.25, count: count)
      playback.play(
        SampleBuffer(samples, rate: rate, time: RationalTime(frames: total, rate: rate)))
      total += Int64(count)
    }
    playback.finish()
    #expect(playback.tape.first == 0)
    #expect(playback.tape.gaps.isEmpty)
    #expect(playback.tape.end == RationalTime(frames: total, rate: rate).frames(at: outputRate))
  }

  @Test(arguments: rates, [48_000, 44_100])
  func `100 items alternating with another rate end on the exact frame`(
    rate: Int, outputRate: Int
  ) {
    var random = SplitMix64(seed: UInt64(rate * 3 + outputRate))
    var playback = Playback(rate: outputRate)
    var end = RationalTime.zero
    for item in 0..<100 {
      let itemRate = item % 2 == 0 ? rate : Self.rates[Int(random.next() % 9)]
      let count = item % 10 == 3 ? 1 : Int(random.next() % 200) | 1
      let samples = [Float](repeating: 0.25, count: count)
      playback.play(SampleBuffer(samples, rate: itemRate, time: end))
      end = end + RationalTime(frames: Int64(count), rate: itemRate)
      #expect(playback.converter.nextTime == end)
    }
    playback.finish()
    #expect(playback.tape.first == 0)
    #expect(playback.tape.gaps.isEmpty)
    #expect(playback.tape.end == end.frames(at: outputRate))
  }
}
