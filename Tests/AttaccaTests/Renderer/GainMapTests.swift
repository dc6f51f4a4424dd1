// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering
import Testing

@Suite struct GainMapTests {
  private func gains(_ map: borrowing GainMap, _ range: Range<StreamFrame>) -> [Float] {
    var gains: [Float] = []
    for frame in range { gains.append(map.gain(at: frame)) }
    return gains
  }

  @Test func `a ramp starts at its frame and stays where it ends`() {
    var map = GainMap(gain: 1)
    map.ramp(to: 0, at: 10, length: 4)
    #expect(gains(map, 8..<16) == [1, 1, 1, 0.75, 0.5, 0.25, 0, 0])
    #expect(map.target == 0)
  }

  @Test func `a ramp of no length is a step`() {
    var map = GainMap(gain: 1)
    map.ramp(to: 0.5, at: 3, length: 0)
    #expect(gains(map, 1..<6) == [1, 1, 0.5, 0.5, 0.5])
  }

  @Test func `a ramp within another goes on from where that is, and later ones are forgotten`() {
    var map = GainMap(gain: 0)
    map.ramp(to: 1, at: 0, length: 4)
    map.ramp(to: 0.25, at: 20, length: 2)
    map.ramp(to: 0, at: 2, length: 2)
    #expect(gains(map, 0..<6) == [0, 0.25, 0.5, 0.25, 0, 0])
    #expect(map.gain(at: 30) == 0)
  }

  @Test(arguments: [1, 3, 5]) func `the gain of a frame does not depend on where reading began`(
    step: Int64
  ) {
    var map = GainMap(gain: 0.1)
    map.ramp(to: 0.7, at: 3, length: 239)
    let whole = map.run(at: 3, atMost: 239)
    #expect(whole.frames == 239)
    var frame: StreamFrame = 3
    while frame < 242 {
      let run = map.run(at: frame, atMost: Int(step))
      for n in 0..<min(run.frames, 242 - Int(frame.number)) {
        #expect(run[n] == whole[Int(frame.number) - 3 + n])
      }
      frame += step
    }
  }

  @Test func `runs cover every frame with the gain of that frame`() {
    var map = GainMap(gain: 1)
    map.ramp(to: 0, at: 5, length: 5)
    map.ramp(to: 0.5, at: 8, length: 0)
    map.ramp(to: 1, at: 12, length: 3)
    var frame: StreamFrame = 0
    while frame < 20 {
      let run = map.run(at: frame, atMost: 7)
      #expect((1...7).contains(run.frames))
      for n in 0..<run.frames { #expect(run[n] == map.gain(at: frame + n)) }
      frame += run.frames
    }
  }

  @Test func `forgetting the past changes nothing that comes`() {
    var map = GainMap(gain: 1)
    map.ramp(to: 0, at: 5, length: 5)
    map.ramp(to: 0.5, at: 8, length: 8)
    let before = gains(map, 11..<20)
    map.forget(before: 11)
    #expect(gains(map, 11..<20) == before)
    map.forget(before: 100)
    #expect(map.gain(at: 100) == 0.5)
  }

  @Test func `more ramps than fit forget the oldest only`() {
    var map = GainMap(gain: 0)
    for i in 1...200 { map.ramp(to: Float(i), at: StreamFrame(Int64(10 * i)), length: 2) }
    #expect(gains(map, 1_990..<1_993) == [198, 198.5, 199])
    #expect(gains(map, 2_000..<2_003) == [199, 199.5, 200])
  }

  @Test func `shifting moves the ramps and not the past`() {
    var map = GainMap(gain: 1)
    map.ramp(to: 0, at: 10, length: 2)
    map.shift(by: -7)
    #expect(gains(map, 2..<6) == [1, 1, 0.5, 0])
    #expect(map.gain(at: StreamFrame(.min / 2)) == 1)
    map.reset(to: 0.25)
    #expect(gains(map, 2..<6) == [0.25, 0.25, 0.25, 0.25])
  }
}
