// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// One minute more than is wanted, for learning what the clocks are.
@Suite(.enabled(if: Soak.minutes != nil)) struct TwoClocksSoakTests {
  @Test(arguments: [100, 200])
  func `two sinks stay together though one's clock runs fast`(partsPerMillion: Int) async throws {
    let minutes = try #require(Soak.minutes)
    try await onOwnThread {
      let clocks = try TwoClocks(partsPerMillion: partsPerMillion)
      defer { clocks.stop() }
      let learning = 60
      let heard = try clocks.play(seconds: learning + Int(minutes * 60))
      let apart = heard.apart.map(abs)
      let settled = (apart.lastIndex { $0 > 1 } ?? -1) + 1
      let off = Distribution(Array(apart.dropFirst(learning)))
      print(
        """
        two clocks: \(partsPerMillion) ppm, told \(heard.partsPerMillion?.short ?? .nan) ppm; within 1 ms \
        from second \(settled) on; in the first minute \(apart.prefix(learning).max()!.short) ms at \
        most, then for \(apart.count - learning) s 50 % \(off.median.short) ms, 99 % \
        \(off.percentile(99).short) ms, worst \(off.largest.short) ms apart
        """)
      #expect(off.largest <= 1)
      #expect(heard.faults == [])
      #expect(heard.underruns == 0)
    }
  }
}
