// SPDX-License-Identifier: Apache-2.0

import Glibc
import MediaTime
import SampleBuffers
import TestSeeds

/// A signal that is known at every instant, so that what comes out can be judged by itself.
struct Signal: Sendable {
  /// Hertz, amplitude, phase in radians.
  var tones: [(frequency: Double, amplitude: Double, phase: Double)]

  /// A sine.
  static func tone(_ frequency: Double, amplitude: Double = 0.5) -> Signal {
    Signal(tones: [(frequency, amplitude, 0.3)])
  }

  /// `count` tones of random phase from 50 Hz to `highest`, with the peak at about half scale.
  static func dense(count: Int = 400, highest: Double, seed: UInt64 = 1) -> Signal {
    var random = SplitMix64(seed: seed)
    return Signal(
      tones: (0..<count).map { i in
        let place = (Double(i) + random.unit()) / Double(count)
        return (50 + (highest - 50) * place, 0.009, 2 * .pi * random.unit())
      })
  }

  /// The value at `index` / `rate` seconds plus `offset` seconds.
  func value(at index: Int64, rate: Int, offset: Double = 0) -> Double {
    var sum = 0.0
    for tone in tones {
      // Whole periods are removed exactly where the frequency is whole: no error far from zero.
      let turns = tone.frequency * Double(index) / Double(rate) + tone.frequency * offset
      sum += tone.amplitude * sin(2 * .pi * (turns - turns.rounded(.down)) + tone.phase)
    }
    return sum
  }

  /// The values at `count` frames from `first` on at `rate`, shifted by `offset` seconds.
  ///
  /// Each tone is a rotating pointer: in a debug build many times faster than a sine a frame.
  func values(from first: Int64, count: Int, rate: Int, offset: Double = 0) -> [Double] {
    var sums = [Double](repeating: 0, count: count)
    sums.withUnsafeMutableBufferPointer { sums in
      guard let out = sums.baseAddress else { return }
      for tone in tones {
        let turns = tone.frequency * Double(first) / Double(rate) + tone.frequency * offset
        let angle = 2 * Double.pi * (turns - turns.rounded(.down)) + tone.phase
        let step = 2 * Double.pi * tone.frequency / Double(rate)
        let (c, s) = (cos(step), sin(step))
        var (x, y) = (tone.amplitude * cos(angle), tone.amplitude * sin(angle))
        var i = 0
        while i < count {
          out[i] += y
          (x, y) = (x * c - y * s, x * s + y * c)
          i &+= 1
        }
      }
    }
    return sums
  }
}

extension SplitMix64 {
  /// 0 ..< 1.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
