// SPDX-License-Identifier: Apache-2.0

import TestServers
import Testing

@Suite struct TwoClocksTests {
  @Test func `a sink whose clock runs fast is steered back`() async throws {
    try await onOwnThread {
      let seats = Seat(taking: Seat.all)
      defer { withExtendedLifetime(seats) {} }
      let clocks = try TwoClocks(partsPerMillion: 500)
      defer { clocks.stop() }
      let heard = try clocks.play(seconds: 12)
      print("two clocks: 500 ppm, apart in each second \(heard.apart.map(\.short)) ms")
      // Half a millisecond a second until the first look, after five: 6 ms if nothing were done.
      #expect(heard.apart.max()! > 1.5)
      #expect(heard.apart.last! < 1.5)
      // In a debug build a correction takes 12 to 24 ms to be mixed, which comes too late on a busy machine: its fade is
      // not heard then, which is told.
      #expect(heard.faults == [] || heard.lateSplices > 0, "\(heard.faults)")
      #expect(heard.underruns == 0)
    }
  }
}
