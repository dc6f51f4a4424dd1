// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSeeds

@testable import AttaccaNetwork

@Suite("Loaded ranges") struct LoadedRangesTests {
  @Test(arguments: SplitMix64.givenSeeds ?? [1, 2, 3, 4])
  func `ranges are what a row of flags says`(seed: UInt64) {
    var numbers = SplitMix64(seed: seed)
    var (ranges, flags) = (LoadedRanges(), [Bool](repeating: false, count: 64))
    for _ in 0..<400 {
      let start = Int.random(in: 0..<60, using: &numbers)
      let end = min(64, start + Int.random(in: 0...12, using: &numbers))
      let isThere = Bool.random(using: &numbers)
      for i in start..<end { flags[i] = isThere }
      let range = Int64(start)..<Int64(end)
      if isThere { ranges.insert(range) } else { ranges.remove(range) }
      for i in flags.indices {
        let run = flags[i...].prefix { $0 }.count
        #expect(ranges.run(from: Int64(i)) == Int64(run), "seed \(seed)")
        let next = flags.indices.first { $0 > i && flags[$0] && !flags[$0 - 1] }
        #expect(ranges.next(behind: Int64(i)) == next.map { Int64($0) }, "seed \(seed)")
      }
      #expect(ranges.byteCount == Int64(flags.count { $0 }))
    }
  }
}
