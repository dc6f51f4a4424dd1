// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
@testable import Rendering
import TestSeeds
import Testing

/// A player under random operations against `EditModel`, which says what each frame must be.
@Suite struct EditModelTests {
  /// More when `ATTACCA_SOAK` says how many times as much.
  private static let soak =
    ProcessInfo.processInfo.environment["ATTACCA_SOAK"].flatMap(Int.init) ?? 1

  @Test func `every frame is what the operations so far say`() {
    let (sequences, length) = (300 * Self.soak, 44)
    let first = UInt64(Self.soak > 1 ? Int.random(in: 0..<1_000_000) : 1)
    for seed in first..<(first + UInt64(sequences)) {
      let operations = EditSequence(seed: seed, count: length).operations
      guard let difference = EditSequence.run(operations, timeout: 60) else { continue }
      let few = EditSequence.shrunk(operations)
      let said = EditSequence.run(few).map { "\($0)" } ?? "not every time"
      Issue.record("seed \(seed): \(difference)\nshrunk to \(few): \(said)")
      return
    }
  }
}
