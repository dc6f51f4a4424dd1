// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestSeeds
import TestServers
import Testing

@Suite struct RandomEditTests {
  @Test func `200 random edits and seeks lose, repeat and change not one frame`() async throws {
    try await onOwnThread {
      let generator = SplitMix64()
      print("200 random edits and seeks: seed \(generator.seed)")
      var run = try RandomEditRun(generator)
      for _ in 0..<200 { try run.edit() }
      let recording = run.finish()
      var late = 0
      let complaint = recording.complaint(about: run.expected, lateCount: &late)
      #expect(complaint == nil, "seed \(generator.seed)")
      // On a machine that is busy with something else some rewrites arrive late, none unnoticed: beside four programs
      // that calculate, 3 to 13 of them.
      let splices = run.expected.count { $0.isSplice }
      #expect(late <= min(splices / 4, run.lateSpliceCount), "seed \(generator.seed)")
      #expect(run.underrunCount == 0, "seed \(generator.seed)")
    }
  }
}
