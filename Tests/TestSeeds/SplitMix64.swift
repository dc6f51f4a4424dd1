// SPDX-License-Identifier: Apache-2.0

/// Random numbers that a seed makes again, for the tests of any target.
///
/// After G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
/// 2014.
public struct SplitMix64: RandomNumberGenerator {
  /// What to start it with again; a test names it when it fails.
  public let seed: UInt64
  private var state: UInt64

  /// The same numbers for the same seed; another seed in each run where none is given.
  public init(seed: UInt64 = .random(in: 0..<1_000_000)) { (self.seed, state) = (seed, seed) }

  /// Any number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
