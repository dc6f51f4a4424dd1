// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSeeds
import Testing

/// Everything that is asked of a player while its server is slow to answer, in any order.
@Suite struct HeldAnswersTests {
  /// `ATTACCA_SOAK=50` goes through so many times as much, from a random seed on; `SEEDS` has some repeated.
  private static let soak =
    ProcessInfo.processInfo.environment["ATTACCA_SOAK"].flatMap(Int.init) ?? 1

  @Test func `pauses, flushes and edits lose no frame, however late they are answered`() {
    let first: UInt64 = Self.soak > 1 ? .random(in: 0..<1_000_000) : 1
    for seed in SplitMix64.givenSeeds ?? Array(first..<first + UInt64(15 * Self.soak)) {
      guard let fault = HeldAnswersRun(seed: seed).fault(operations: 40) else { continue }
      Issue.record("seed \(seed): \(fault)")
      return
    }
  }
}
