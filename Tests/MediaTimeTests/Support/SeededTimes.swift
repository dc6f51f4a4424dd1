// SPDX-License-Identifier: Apache-2.0

import MediaTime
import TestSeeds

extension SplitMix64 {
  /// Of any magnitude with equal chance, the ends of the range and zero included.
  mutating func value() -> Int64 {
    switch next() % 32 {
    case 0: 0
    case 1: .max
    case 2: .min
    default: Int64(bitPattern: next()) >> Int64(next() % 64)
    }
  }

  /// A common rate, the ends of the range, or of any magnitude.
  mutating func timescale() -> Int32 {
    switch next() % 16 {
    case 0: 1
    case 1: .max
    case 2, 3, 4, 5, 6, 7: commonRates[Int(next() % UInt64(commonRates.count))]
    default: max(1, Int32(truncatingIfNeeded: next() >> 33) >> Int32(next() % 31))
    }
  }

  /// Any time: mostly numbers, some in an epoch, some rounded, some special.
  mutating func time() -> MediaTime {
    switch next() % 32 {
    case 0: .invalid
    case 1: .indefinite
    case 2: .positiveInfinity
    case 3: .negativeInfinity
    case 4:
      MediaTime(
        value: value(), timescale: timescale(), flags: [.valid, .hasBeenRounded],
        epoch: Int64(next() % 3))
    default: MediaTime(value: value(), timescale: timescale(), epoch: Int64(next() % 8 / 6))
    }
  }

  /// A number small enough for sums over common rates to be exact.
  mutating func commonTime() -> MediaTime {
    MediaTime(
      value: value() >> 16, timescale: commonRates[Int(next() % UInt64(commonRates.count))])
  }
}

/// Every rate in use that divides 28,224,000.
let commonRates: [Int32] = [
  8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
  176_400, 192_000, 352_800,
]

/// Runs `body` 100,000 times; the seed names the first case that fails, which ends the run.
func forSeededCases(
  from firstSeed: UInt64 = 1, _ body: (_ random: inout SplitMix64) -> Bool
) -> UInt64? {
  for seed in firstSeed..<(firstSeed + 100_000) {
    var random = SplitMix64(seed: seed)
    if !body(&random) { return seed }
  }
  return nil
}

extension MediaTime {
  /// All four fields, for tests that look past equality.
  var fields: Fields { Fields(self) }

  struct Fields: Equatable, CustomStringConvertible {
    let value: Int64
    let timescale: Int32
    let flags: UInt32
    let epoch: Int64

    init(_ time: MediaTime) {
      value = time.value
      timescale = time.timescale
      flags = time.flags.rawValue
      epoch = time.epoch
    }

    init(_ value: Int64, _ timescale: Int32, _ flags: MediaTime.Flags = .valid, epoch: Int64 = 0) {
      self.init(MediaTime(value: value, timescale: timescale, flags: flags, epoch: epoch))
    }

    var description: String { "\(value)/\(timescale) flags \(flags) epoch \(epoch)" }
  }
}
