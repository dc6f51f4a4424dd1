// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering
import TestSeeds
import Testing

/// Gains of a line's content, against a list of one factor a frame.
@Suite struct ContentGainsTests {
  private func key(_ item: UInt64, _ pass: Int = 0) -> ContentKey {
    ContentKey(item: item, pass: pass)
  }

  private func factors(_ gains: borrowing ContentGains, _ frames: Range<StreamFrame>) -> [Float] {
    var factors: [Float] = []
    while factors.count < frames.count {
      let run = gains.run(
        at: frames.lowerBound + factors.count, atMost: frames.count - factors.count)
      factors += (0..<run.frames).map { run[$0] }
    }
    return factors
  }

  private func line(_ frames: Int, from: Float, to: Float, length: Int) -> [Float] {
    let step = (to - from) / Float(length)
    return (0..<frames).map { from + step * Float($0) }
  }

  @Test func `without parts every factor is 1`() {
    let gains = ContentGains()
    let isUnity = gains.isUnity
    #expect(isUnity)
    let factors1 = factors(gains, -5..<5)
    #expect(factors1 == [Float](repeating: 1, count: 10))
  }

  @Test func `a ramp goes on over the next part of the same item, and not into another's`() {
    var gains = ContentGains()
    gains.begin(key(1, 0), at: 0, factor: 1, length: 10)
    gains.begin(key(1, 1), at: 104, factor: 1, length: 10)
    gains.begin(key(2), at: 107, factor: 0.25, length: 10)
    gains.begin(key(1, 2), at: 200, factor: 1, length: 10)
    gains.ramp(to: 0.5, at: 100, length: 10) { $0.item == 1 }
    let expected =
      [Float](repeating: 1, count: 100) + line(7, from: 1, to: 0.5, length: 10)
      + [Float](repeating: 0.25, count: 93) + [Float](repeating: 0.5, count: 50)
    let factors2 = factors(gains, 0..<250)
    #expect(factors2 == expected)
  }

  @Test func `a ramp that takes another's place goes on from where that had got`() {
    var gains = ContentGains()
    gains.begin(key(1), at: 0, factor: 1, length: 8)
    gains.ramp(to: 0, at: 0, length: 8) { _ in true }
    gains.ramp(to: 1, at: 4, length: 8) { _ in true }
    let expected =
      line(4, from: 1, to: 0, length: 8) + line(8, from: 0.5, to: 1, length: 8) + [1, 1]
    let factors3 = factors(gains, 0..<14)
    #expect(factors3 == expected)
  }

  @Test func `content of the same playing that takes its own place keeps its ramp`() {
    var gains = ContentGains()
    gains.begin(key(1), at: 0, factor: 1, length: 8)
    gains.ramp(to: 0.5, at: 2, length: 8) { _ in true }
    gains.begin(key(1), at: 5, factor: 0.5, length: 8)
    let expected = [1, 1] + line(8, from: 1, to: 0.5, length: 8) + [0.5, 0.5]
    let factors4 = factors(gains, 0..<12)
    #expect(factors4 == expected)
  }

  @Test func `what is not heard changes at once`() {
    var gains = ContentGains()
    gains.begin(key(1), at: 0, factor: 1, length: 8)
    gains.begin(key(2), at: 5, factor: 1, length: 8)
    gains.ramp(to: 0.5, at: nil, length: 8) { $0.item == 2 }
    let factors5 = factors(gains, 3..<7)
    #expect(factors5 == [1, 1, 0.5, 0.5])
  }

  @Test(arguments: 0..<20) func `random parts, shifts and ends are what a list is`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var gains = ContentGains()
    var model = [Float](repeating: 1, count: 2_000)
    var end = 0
    for part in 0..<200 {
      let start = part == 0 ? 0 : end + Int.random(in: 1...12, using: &random)
      guard start < model.count else { break }
      let factor = Float(Int.random(in: 1...4, using: &random)) / 4
      gains.begin(key(UInt64(part)), at: StreamFrame(Int64(start)), factor: factor, length: 4)
      for i in start..<model.count { model[i] = factor }
      end = start
      if Int.random(in: 0..<10, using: &random) == 0 {
        let cut = max(1, end - Int.random(in: 0..<20, using: &random))
        gains.begin(key(1_000 + UInt64(part)), at: StreamFrame(Int64(cut)), factor: 2, length: 4)
        for i in cut..<model.count { model[i] = 2 }
        end = cut
      }
    }
    let factors6 = factors(gains, 0..<2_000)
    #expect(factors6 == model, "seed \(seed)")
    gains.shift(by: 77)
    gains.forget(before: 577)
    let factors7 = factors(gains, 577..<2_077)
    #expect(factors7 == Array(model[500...]), "seed \(seed)")
  }
}
