// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
@testable import Rendering
import TestSeeds
import Testing

/// A player that is turned, sought, paused and edited at random, against frames counted by hand.
@Suite struct ReverseModelTests {
  /// More when `ATTACCA_SOAK` says how many times as much.
  private static let soak =
    ProcessInfo.processInfo.environment["ATTACCA_SOAK"].flatMap(Int.init) ?? 1

  @Test func `every frame is the one before or behind the last one, whatever is done`() {
    let first = UInt64(Self.soak > 1 ? Int.random(in: 0..<1_000_000) : 1)
    for seed in first..<(first + UInt64(80 * Self.soak)) {
      let run = ReverseRun(seed: seed, atOnce: 3)
      guard let fault = run.fault(operations: 40) else { continue }
      Issue.record("seed \(seed): \(fault)")
      return
    }
  }
}
