// SPDX-License-Identifier: Apache-2.0

@testable import Rendering
import Testing

@Suite struct SamplesTests {
  /// Each alone among silence, at a place that is done four at once and at one that is not.
  @Test(arguments: [
    0, 1, -1, 0.5, -0.5, Float(1).nextUp, -Float(1).nextUp, 1.5, -2, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .infinity, -.infinity, .leastNonzeroMagnitude, -0.0,
  ])
  func `each sum tells what is beyond full scale, of either sign`(_ sample: Float) {
    for place in [3, 64] {
      var (source, silence) = ([Float](repeating: 0, count: 65), [Float](repeating: 0, count: 65))
      source[place] = sample
      let told = source.withUnsafeBufferPointer { source in
        silence.withUnsafeMutableBufferPointer { target in
          let (from, to) = (source.baseAddress!, target.baseAddress!)
          let told = [
            Samples.copy(from, count: 65, into: to), Samples.excess(of: to, count: 65),
            Samples.add(from + 65, from, count: 0, to: to),
          ]
          to.update(repeating: 0, count: 65)
          return told + [Samples.add(from, count: 65, to: to)]
        }
      }
      let isBeyond = abs(sample) > 1
      #expect(told.map { $0 < 0 } == [isBeyond, isBeyond, false, isBeyond])
    }
  }
}
