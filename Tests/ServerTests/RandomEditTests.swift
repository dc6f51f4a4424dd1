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
        let most = run.expected.count { $0.isSplice } / 4
        let account = "seed \(generator.seed), \(run.underrunCount) underruns, \(stood) at most"
        // An edit is followed by a quarter of a second at once, and by the rest as it is decoded.
        let isDry = run.underrunCount > 0 && stood > .milliseconds(125)
        if !isDry || attempt == 3 {
          #expect(complaint == nil, "\(account)")
          #expect(late <= run.lateSpliceCount, "\(account)")
          #expect(run.underrunCount == 0, "\(account)")
        }
        let isLate = late > most && stood > .milliseconds(50)
        guard isDry || isLate, attempt < 3 else {
          #expect(late <= most, "\(account)")
          break
        }
        print("not in time: \(late) late, \(run.underrunCount) underruns, \(stood) at most")
      }
    }
  }
}
