// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestSeeds
import Testing

/// Bare renderers that are given whatever a caller may give them, in any order.
@Suite struct RandomEnqueuingTests {
  /// More when `ATTACCA_SOAK` says how many times as much.
  private static let soak =
    ProcessInfo.processInfo.environment["ATTACCA_SOAK"].flatMap(Int.init) ?? 1

  /// From 1 on, or random ones; those in `SEEDS`, as `SEEDS=18,4711`, where that is given.
  private static var seeds: [UInt64] {
    if let given = SplitMix64.givenSeeds { return given }
    let first = soak > 1 ? SplitMix64().seed : 1
    return Array(first..<(first + UInt64(12 * soak)))
  }

  @Test(arguments: [true, false])
  func `each frame of what is enqueued, flushed and played at any rate is heard at its time`(
    waits: Bool
  ) {
    let seeds = Self.seeds
    var failed = 0
    for seed in seeds {
      // Printed before: what goes wrong may end the process.
      print("random enqueuing, seed \(seed), waits \(waits)")
      fflush(nil)
      let run = EnqueuingRun(seed: seed, waits: waits)
      do {
        for _ in 0..<80 { try run.step() }
        try run.finish()
      } catch {
        failed += 1
        Issue.record("seed \(seed), waits \(waits): \(error)\n\(run.history)")
      }
    }
    print("random enqueuing: \(failed) of \(seeds.count) seeds failed, waits \(waits)")
  }
}
