// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSeeds
import TestServers
import Testing

/// Random commands beside random faults, for ATTACCA_CHAOS minutes; SEED begins with the numbers of
/// an earlier run.
@Suite(.enabled(if: Chaos.minutes != nil)) struct ChaosTests {
  @Test func `whatever is done, what is heard is explained and nothing is left`() async throws {
    let minutes = try #require(Chaos.minutes)
    let seed = Chaos.seed ?? SplitMix64().seed
    print("chaos: \(minutes) minutes with SEED=\(seed)")
    try await onOwnThread {
      let run = try ChaosRun(SplitMix64(seed: seed))
      let violations = try run.run(seconds: minutes * 60)
      print("chaos: \(run.account), SEED=\(seed), \(violations.count) findings")
      #expect(violations == [], "SEED=\(seed)")
    }
  }
}

private enum Chaos {
  private static func value<T: LosslessStringConvertible>(_ name: String) -> T? {
    ProcessInfo.processInfo.environment[name].flatMap { T($0) }
  }
  /// Nil where there is to be none.
  static let minutes: Double? = value("ATTACCA_CHAOS")
  static let seed: UInt64? = value("SEED")
}
