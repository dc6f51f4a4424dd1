// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Testing

private let rounded: MediaTime.Flags = [.valid, .hasBeenRounded]

@Suite struct ConvertScaleTests {
  /// Tenths to whole seconds: -15, -14, -10, -5, -1, 1, 5, 10, 14, 15.
  @Test(
    arguments: zip(
      MediaTime.RoundingMethod.allCases,
      [
        [-2, -1, -1, -1, 0, 0, 1, 1, 1, 2],
        [-1, -1, -1, 0, 0, 0, 0, 1, 1, 1],
        [-2, -2, -1, -1, -1, 1, 1, 1, 2, 2],
        [-1, -1, -1, -1, -1, 0, 0, 1, 1, 1],
        [-1, -1, -1, 0, 0, 1, 1, 1, 2, 2],
        [-2, -2, -1, -1, -1, 0, 0, 1, 1, 1],
      ]))
  func `each method rounds as its name says`(method: MediaTime.RoundingMethod, wanted: [Int64]) {
    let tenths: [Int64] = [-15, -14, -10, -5, -1, 1, 5, 10, 14, 15]
    for (tenth, value) in zip(tenths, wanted) {
      let converted = MediaTime(value: tenth, timescale: 10).convertScale(1, method: method)
      #expect(
        converted.fields == .init(value, 1, tenth % 10 == 0 ? .valid : rounded),
        "\(tenth)/10 \(method)")
    }
  }

  @Test func `QuickTime rounding goes away from zero when the timescale grows`() {
    let third = MediaTime(value: 1, timescale: 3)
    #expect(third.convertScale(10, method: .quickTime).fields == .init(4, 10, rounded))
    let less = MediaTime(value: -1, timescale: 3)
    #expect(less.convertScale(10, method: .quickTime).fields == .init(-4, 10, rounded))
    #expect(less.convertScale(2, method: .quickTime).fields == .init(-1, 2, rounded))
    #expect(third.convertScale(2, method: .quickTime).fields == .init(0, 2, rounded))
    let nothing = MediaTime(value: 0, timescale: 3)
    #expect(nothing.convertScale(2, method: .quickTime).fields == .init(0, 2))
  }

  @Test func `an exact conversion is not marked, and keeps an earlier mark and the epoch`() {
    let half = MediaTime(value: 1, timescale: 2, epoch: 3)
    #expect(half.convertScale(48_000).fields == .init(24_000, 48_000, epoch: 3))
    let marked = MediaTime(value: 1, timescale: 2, flags: rounded, epoch: 0)
    #expect(marked.convertScale(4).fields == .init(2, 4, rounded))
    #expect(marked.convertScale(2).fields == .init(1, 2, rounded))
  }

  @Test func `what is no number stays, and a timescale that is not positive gives invalid`() {
    for time: MediaTime in [.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
      #expect(time.convertScale(48_000).fields == time.fields)
      #expect(time.convertScale(0).fields == time.fields)
    }
    for scale in [0, -1, Int32.min] {
      #expect(!MediaTime(value: 1, timescale: 1).convertScale(scale).isValid)
    }
  }

  @Test func `a value that does not fit becomes an infinity of its sign`() {
    #expect(MediaTime(value: .max, timescale: 1).convertScale(2).isPositiveInfinity)
    #expect(MediaTime(value: .min, timescale: 1).convertScale(2).isNegativeInfinity)
    #expect(MediaTime(value: .max, timescale: 2).convertScale(4).isPositiveInfinity)
    #expect(MediaTime(value: .min / 2, timescale: 1).convertScale(2).fields == .init(.min, 2))
  }
}
