// SPDX-License-Identifier: Apache-2.0

import TestSeeds
import Testing

@testable import Listening

@Suite struct HeardFramesTests {
  /// Adds frames whose two channels are their numbers and those negative.
  private static func add(
    _ numbers: some Sequence<Int>, to heard: inout HeardFrames, sign: Float = 1
  ) {
    for number in numbers {
      let frame = [sign * Float(number), -sign * Float(number)]
      frame.withUnsafeBufferPointer {
        heard.append($0.baseAddress!, reference: ReferenceCode.sample(of: number))
      }
    }
  }

  @Test func `every number has its sample, also where the code begins again`() {
    for period in 0..<3 {
      let middle = ReferenceCode.period * period
      for number in max(0, middle - 5)..<middle + 5 {
        let residue = ReferenceCode.residue(of: ReferenceCode.sample(of: number))
        #expect(residue == number % ReferenceCode.period)
        for near in [number - 1_000, number, number + 1_000] where near >= 0 {
          #expect(ReferenceCode.number(of: residue!, near: near) == number)
        }
      }
    }
    for sample: Float in [0, -0.25, 0.500001, 1.5 / Float(1 << 23)] {
      #expect(ReferenceCode.residue(of: sample) == nil)
    }
  }

  // paplay plays FLAC of 24 bits as noise, on both channels: the listener took 44 s of nothing for each frame of it.
  @Test func `noise on the reference's channel is no time that passes`() {
    var heard = HeardFrames(channelCount: 2)
    Self.add(0..<100, to: &heard)
    Self.add(stride(from: 2_000_000, to: 100_000, by: -1_900), to: &heard)
    #expect(heard.end == 100 && heard.unnumbered == 1_000)
    Self.add(1_100..<1_200, to: &heard)
    #expect(heard.end == 1_200 && heard.missed == 1_000)
  }

  @Test func `a hole of minutes is passed over at its second frame`() {
    var heard = HeardFrames(channelCount: 2)
    Self.add(0..<100, to: &heard)
    Self.add(500_000..<500_100, to: &heard)
    #expect(heard.end == 500_100 && heard[500_000] == nil && heard[500_001] == 500_001)
  }

  @Test func `frames lie at their reference's numbers across the code's end`() {
    var heard = HeardFrames(channelCount: 2)
    let range = ReferenceCode.period - 1_000..<ReferenceCode.period + 1_000
    Self.add(range, to: &heard)
    #expect(heard.first == range.lowerBound && heard.end == range.upperBound)
    #expect(range.allSatisfy { heard[$0] == Float($0) })
    #expect(
      heard[range.upperBound - 1..<range.upperBound]
        == [1, -1].map { $0 * heard[range.upperBound - 1]! })
    #expect(heard[range.lowerBound - 1] == nil && heard[range.upperBound] == nil)
  }

  @Test func `what the monitor leaves out is missing at its numbers, and moves nothing`() {
    var heard = HeardFrames(channelCount: 2)
    Self.add(100..<200, to: &heard)
    Self.add(250..<300, to: &heard)
    #expect(heard.missed == 50)
    #expect(heard[199] == 199 && heard[200] == nil && heard[249] == nil && heard[250] == 250)
    #expect(heard.firstBreak(after: 100) { $1 == $0 + 1 } == nil)
  }

  @Test func `what was taken back is what was heard last`() {
    var heard = HeardFrames(channelCount: 2)
    Self.add(100..<200, to: &heard)
    Self.add(150..<250, to: &heard, sign: -1)
    #expect(heard.revised == 50 && heard.missed == 0)
    #expect(heard[149] == 149 && heard[150] == -150 && heard.end == 250)
    #expect(heard.firstBreak(after: 100) { $1 == $0 + 1 } == 150)
  }

  @Test func `what is forgotten leaves the rest at its numbers`() {
    var heard = HeardFrames(channelCount: 2)
    Self.add(100..<200, to: &heard)
    heard.forget(before: 180)
    #expect(heard.first == 180 && heard[179] == nil && heard[180] == 180)
    heard.forget(before: 500)
    Self.add(200..<210, to: &heard)
    #expect(heard[200] == 200 && heard.end == 210)
  }
}
