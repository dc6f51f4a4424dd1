// SPDX-License-Identifier: Apache-2.0

import AttaccaBookmarks
import MediaTime
import Testing

@Suite struct SmartRewindTests {
  @Test(
    arguments: [
      (0, 0), (9.99, 0), (10, 333), (60, 2_000), (300, 10_000), (600, 20_000), (1e9, 20_000),
      (.infinity, 20_000),
    ] as [(Double, Int64)])
  func `a longer pause goes back further, up to 20 s`(pause: Double, milliseconds: Int64) {
    #expect(
      SmartRewind.standard.distance(afterPause: pause)
        == MediaTime(value: milliseconds, timescale: 1_000))
  }

  @Test func `both limits are settable`() {
    let rewind = SmartRewind(shortest: 0, most: MediaTime(value: 1, timescale: 1))
    #expect(rewind.distance(afterPause: 3) == MediaTime(value: 1, timescale: 10))
    #expect(rewind.distance(afterPause: 300) == MediaTime(value: 1, timescale: 1))
    #expect(SmartRewind.none.distance(afterPause: 1e6) == .zero)
  }
}
