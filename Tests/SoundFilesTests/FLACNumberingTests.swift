// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SoundFiles

@Suite struct FLACNumberingTests {
  @Test func `runs that follow each other leave nothing out`() {
    var numbers = FLACNumbering(first: 100)
    let missing = [100, 150].map { numbers.enter($0, count: 50, atMost: 1_000) }
    #expect(missing == [0, 0])
    #expect(!numbers.areUneven)
  }

  @Test func `a step forward is a gap, up to the end; what steps further, or back, is no place`() {
    for (number, most, missing, isUneven) in [
      (160, 1_000, 10, false), (1_150, 1_000, 1_000, false), (1_151, 1_000, 0, true),
      (149, 1_000, 0, true), (0, 1_000, 0, true),
    ] as [(Int64, Int64, Int64, Bool)] {
      var numbers = FLACNumbering(first: 100)
      _ = numbers.enter(100, count: 50, atMost: most)
      let found = numbers.enter(number, count: 50, atMost: most)
      #expect(found == missing && numbers.areUneven == isUneven, "\(number)")
      // The next one is counted from what came.
      let next = numbers.enter(number + 50, count: 50, atMost: most)
      #expect(next == 0)
    }
  }

  @Test func `a run that was sought is expected`() {
    var numbers = FLACNumbering(first: 0)
    numbers.seek(to: 9_000)
    let missing = numbers.enter(9_000, count: 50, atMost: 1_000)
    #expect(missing == 0 && !numbers.areUneven)
    numbers.doubt()
    #expect(numbers.areUneven)
  }

  @Test func `frames are taken of the silence first, then of the run`() {
    var place = FLACPlace()
    #expect(place.isBehind(run: 0) && !place.isBehind(run: 1))
    place.enter(behind: 30)
    #expect(!place.isBehind(run: 0))
    let taken = (0..<4).map { _ in place.take(20, ofRun: 35) }
    #expect(taken.map(\.frames) == [20, 10, 20, 15])
    #expect(taken.map(\.begin) == [nil, nil, 0, 20])
    #expect(place.position == 65 && place.isBehind(run: 35))
  }

  @Test func `nothing is taken behind an end until decoding goes on elsewhere`() {
    var place = FLACPlace()
    place.enter(behind: 30)
    place.end(at: 9_000)
    #expect(place.position == 9_000 && place.silence == 0 && place.isSpent)
    place.leave()
    place.move(to: 480)
    #expect(place.position == 480 && !place.isSpent)
    place.restart()
    place.end()
    #expect(place.position == 0 && place.isSpent)
  }
}
