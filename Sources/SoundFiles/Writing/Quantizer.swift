// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// Turns Float32 samples into integers, the same way each time.
struct Quantizer {
  private let bits: Int
  private let dither: Bool
  /// xorshift64 (Marsaglia 2003): dither needs no better numbers, but the same ones in each run.
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// - Precondition: `bits` is 16 or 24.
  init(bits: Int, dither: Bool) {
    require(bits == 16 || bits == 24, "integers of \(bits) bits; 16 and 24 are permitted")
    (self.bits, self.dither) = (bits, dither)
  }

  /// Rounds to nearest, and saturates; integers stand in the upper bits, as `sf_writef_int` wants
  /// them.
  ///
  /// - Returns: samples that did not fit.
  mutating func quantize(
    _ samples: UnsafePointer<Float>, count: Int, into integers: inout [Int32]
  ) -> Int {
    // Doubles hold a sample of 24 bits times the scale and the noise without another rounding.
    let scale = Double(Int64(1) << (bits - 1))
    let shift = Int32(32 - bits)
    var saturated = 0
    for i in 0..<count {
      var value = Double(samples[i]) * scale
      if value.isNaN {
        saturated += 1
        integers[i] = 0
        continue
      }
      if dither { value += noise() }
      value.round(.toNearestOrEven)
      // Noise alone may lift a full-scale sample over the edge; only the signal's own is counted.
      if value > scale - 1 {
        if Double(samples[i]) * scale > scale - 1 { saturated += 1 }
        value = scale - 1
      } else if value < -scale {
        if Double(samples[i]) * scale < -scale { saturated += 1 }
        value = -scale
      }
      integers[i] = Int32(value) << shift
    }
    return saturated
  }

  /// The difference of two uniform numbers: triangular, -1...1 steps.
  private mutating func noise() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    let unit = 1.0 / Double(UInt64(1) << 32)
    return (Double(state >> 32) - Double(state & 0xFFFF_FFFF)) * unit
  }
}
