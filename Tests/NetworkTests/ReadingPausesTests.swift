// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AttaccaNetwork

/// What is a pause of a listener, and what is not.
@Suite struct ReadingPausesTests {
  private static let second: UInt64 = 1_000_000_000

  /// Moments of reads that are so many seconds apart, and which of them are behind a pause.
  private func pauses(_ rests: [Double]) -> [Int] {
    var (pauses, now) = (ReadingPauses(), Self.second)
    var found: [Int] = []
    if pauses.read(at: now) { found.append(0) }
    for (i, rest) in rests.enumerated() {
      now += UInt64(rest * Double(Self.second))
      if pauses.read(at: now) { found.append(i + 1) }
    }
    return found
  }

  @Test func `what fills a buffer at first and is read once a second then has no pause in it`() {
    #expect(pauses([0, 0, 0.01, 0, 1, 0.9, 1.1, 1, 0.5, 1.2]) == [])
  }

  @Test func `a pause of three seconds is one, and the next one is, too`() {
    #expect(pauses([0, 0, 1, 1, 4, 1, 1, 3.7, 1]) == [5, 8])
  }

  @Test func `at a quarter of the speed the rests are four times as long`() {
    #expect(pauses([0, 0, 1.4, 2.8, 4, 4, 4.1, 4, 5.4, 4]) == [])
    #expect(pauses([0, 0, 1.4, 2.8, 4, 4, 4.1, 4, 7.4, 4]) == [9])
  }

  @Test func `a wait for the network is none`() {
    var pauses = ReadingPauses()
    _ = pauses.read(at: Self.second)
    _ = pauses.read(at: 2 * Self.second)
    pauses.waited(at: 30 * Self.second)
    let isPause = pauses.read(at: 31 * Self.second)
    #expect(!isPause)
  }
}
