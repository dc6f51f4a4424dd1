// SPDX-License-Identifier: Apache-2.0

/// Repeatable random numbers: the same order for the same seed, whatever the standard library does.
///
/// Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014.
struct ShuffleGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number below `bound`, every one as likely as the others to one part in 2^64 / `bound`.
  mutating func next(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Puts `items` in an order of its own, by Durstenfeld's form of Fisher and Yates.
  mutating func shuffle<T>(_ items: inout [T]) {
    var rest = items.count
    while rest > 1 {
      let chosen = next(below: rest)
      rest -= 1
      items.swapAt(rest, chosen)
    }
  }
}
