// SPDX-License-Identifier: Apache-2.0

import Testing

/// The judge of what is heard of random edits.
@Suite struct NumberedRecordingTests {
  private static let fade = 240

  /// `frames` of `item` as they were written.
  private func pure(_ item: Int, _ frames: Range<Int>) -> [Float] {
    TestSound.numbered(item, frames)
  }

  /// A crossfade from `old` of one item to `new` of another, without its first `late` frames.
  private func mixed(_ old: (Int, Int), _ new: (Int, Int), late: Int = 0) -> [Float] {
    let from = pure(old.0, old.1..<old.1 + Self.fade)
    let to = pure(new.0, new.1..<new.1 + Self.fade)
    return Array(
      (0..<2 * Self.fade).map { i in
        let share = (Float(i / 2) + 0.5) / Float(Self.fade)
        return from[i] * (1 - share) + to[i] * share
      }.dropFirst(2 * late))
  }

  /// What is said of 5,000 frames of item 1, `second` of item 2 by a splice and 1,000 frames of item 3 by another.
  private func judge(late: Int, second: Int) -> (complaint: String?, lateCount: Int) {
    let joint =
      late < Self.fade
      ? mixed((1, 5_000), (2, 70_000), late: late) + pure(2, 70_240..<70_240 + second)
      : pure(2, 70_000 + late..<70_000 + late + second)
    let end = 70_000 + max(late, Self.fade) + second
    let samples =
      pure(1, 0..<5_000) + joint + mixed((2, end), (3, 30_000)) + pure(3, 30_240..<31_240)
    let expected = [(1, 0, false), (2, 70_000, true), (3, 30_000, true)].map {
      ExpectedSound(item: $0.0, frame: $0.1, isSplice: $0.2)
    }
    var lateCount = 0
    let complaint = NumberedRecording(samples: samples, length: 480_000, fade: Self.fade)
      .complaint(about: expected, lateCount: &lateCount)
    return (complaint, lateCount)
  }

  @Test(arguments: [0, 3, 100, 239, 240, 900], [10, 239, 240, 3_000])
  func `a splice is late or in time, however soon the next one follows`(late: Int, second: Int) {
    let (complaint, lateCount) = judge(late: late, second: second)
    #expect(complaint == nil)
    #expect(lateCount == (late > 0 ? 1 : 0))
  }

  @Test func `what comes later than any splice is a complaint`() {
    #expect(judge(late: 6_000, second: 3_000).complaint != nil)
  }

  /// What is said of a splice that was `late`, delayed by as much, and heard again behind `heard` frames of it.
  private func judgeDelayed(late: Int, heard: Int, by delay: Int) -> (complaint: String?, Int) {
    let spliced = mixed((1, 5_000), (2, 70_000)) + pure(2, 70_240..<80_000)
    let delayed = pure(1, 5_000..<5_000 + delay) + mixed((1, 5_000 + delay), (2, 70_000))
    let samples =
      pure(1, 0..<5_000 + late) + spliced[2 * late..<2 * heard]
      + (delayed + pure(2, 70_240..<71_000))[(2 * heard)...]
    let expected = [(1, 0, false), (2, 70_000, true)].map {
      ExpectedSound(item: $0.0, frame: $0.1, isSplice: $0.2)
    }
    var lateCount = 0
    let complaint = NumberedRecording(samples: samples, length: 480_000, fade: Self.fade)
      .complaint(about: expected, lateCount: &lateCount)
    return (complaint, lateCount)
  }

  @Test func `a splice that was delayed, and late again, is a late one that is heard again`() {
    // 94 frames late, and taken back behind 276.
    #expect(judgeDelayed(late: 94, heard: 276, by: 94) == (nil, 1))
  }

  @Test func `what is heard again and was no splice is a complaint`() {
    var lateCount = 0
    let samples = pure(1, 0..<5_000) + pure(1, 4_900..<5_300)
    let complaint = NumberedRecording(samples: samples, length: 480_000, fade: Self.fade)
      .complaint(
        about: [ExpectedSound(item: 1, frame: 0, isSplice: false)], lateCount: &lateCount)
    #expect(complaint != nil)
  }
}
