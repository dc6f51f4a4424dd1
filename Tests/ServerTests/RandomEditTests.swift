// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestSeeds
import TestServers
import Testing

@Suite struct RandomEditTests {
  @Test func `200 random edits and seeks lose, repeat and change not one frame`() async throws {
    try await onOwnThread {
      // On a machine that is busy with something else some rewrites arrive late, none unnoticed: beside four programs
      // that calculate, 3 to 13 of them; 37 where it stood still for tenths of a second, again and again.
      for attempt in 1...3 {
        let generator = SplitMix64()
        print("200 random edits and seeks: seed \(generator.seed)")
        let ((run, recording), stood) = try Standstill.during {
          var run = try RandomEditRun(generator)
          for _ in 0..<200 { try run.edit() }
          return (run, run.finish())
        }
        var late = 0
        let complaint = recording.complaint(about: run.expected, lateCount: &late)
        #expect(complaint == nil, "seed \(generator.seed)")
        #expect(late <= run.lateSpliceCount, "seed \(generator.seed)")
        #expect(run.underrunCount == 0, "seed \(generator.seed)")
        let most = run.expected.count { $0.isSplice } / 4
        guard late > most, stood > .milliseconds(50), attempt < 3 else {
          #expect(late <= most, "seed \(generator.seed), \(stood) at most")
          break
        }
        print("not in time: \(late) of \(4 * most) splices, \(stood) at most")
      }
    }
  }
}
