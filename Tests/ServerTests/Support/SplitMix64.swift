// SPDX-License-Identifier: Apache-2.0

/// Random numbers that a seed makes again.
///
/// After G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
/// 2014.
struct SplitMix64: RandomNumberGenerator {
  /// What to start it with again.
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64 = .random(in: 0..<1_000_000)) { (self.seed, state) = (seed, seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
