// SPDX-License-Identifier: Apache-2.0

/// Frames of a sink's channels, each at the number of the reference frame that was heard with it.
package struct HeardFrames {
  /// Channels that are kept, the reference's not among them.
  package let channelCount: Int
  /// The number of the first frame that is kept.
  package private(set) var first = 0
  /// Interleaved; NaN where the monitor gave nothing at a number.
  private var samples: [Float] = []
  /// Numbers that were heard again with other samples: the monitor gave what was then taken back.
  package private(set) var revised = 0
  /// Numbers that were passed over.
  package private(set) var missed = 0
  /// Recorded frames without a reference that is believed, once there had been one.
  package private(set) var unnumbered = 0
  /// The number far ahead that the last frame had, and one frame alone does not prove; nil where it had another.
  private var doubtful: Int?
  /// Frames that are passed over where one frame alone says so; more need a second one.
  ///
  /// Another program's noise on the reference's channel makes each frame a number up to 44 s ahead of the one before,
  /// which the next one denies.
  private static let longestJump = 48_000

  package init(channelCount: Int = 1) { self.channelCount = channelCount }

  /// The number after the last.
  package var end: Int { first + samples.count / channelCount }

  /// The first channel's sample at a number; nil where the monitor gave none, or it is not recorded,
  /// or forgotten.
  package subscript(number: Int) -> Float? {
    guard number >= first, number < end else { return nil }
    let sample = samples[(number - first) * channelCount]
    return sample.isNaN ? nil : sample
  }

  /// All channels' samples at the numbers, interleaved; NaN where the monitor gave none, as before the
  /// first.
  ///
  /// - Precondition: they end where the recording has come to, or before.
  package subscript(numbers: Range<Int>) -> [Float] {
    precondition(numbers.upperBound <= end, "numbers \(numbers) of \(first)..<\(end)")
    let kept = max(numbers.lowerBound, first)..<max(numbers.upperBound, first)
    let unknown = [Float](
      repeating: .nan, count: (numbers.count - kept.count) * channelCount)
    let begin = (kept.lowerBound - first) * channelCount
    return unknown + samples[begin..<begin + kept.count * channelCount]
  }

  /// The first number behind `number` at which `follows` does not hold between the samples of the
  /// first channel at it and before it; nil where it holds to the end.
  ///
  /// What the monitor did not give holds with whatever is beside it.
  package func firstBreak(
    after number: Int, follows: (_ last: Float, _ next: Float) -> Bool
  ) -> Int? {
    (number + 1..<max(end, number + 1)).first { next in
      guard let last = self[next - 1], let sample = self[next] else { return false }
      return !follows(last, sample)
    }
  }

  /// Adds a recorded frame: the sample of each channel that is kept, and the reference's.
  ///
  /// Where the same number comes again, the later samples are what was heard: a sink that rewinds has
  /// taken the earlier ones back.
  package mutating func append(_ frame: UnsafePointer<Float>, reference: Float) {
    guard let residue = ReferenceCode.residue(of: reference) else {
      if !samples.isEmpty { unnumbered += 1 }
      return
    }
    let frame = UnsafeBufferPointer(start: frame, count: channelCount)
    if samples.isEmpty, missed == 0, first == 0 { first = residue }
    let number = ReferenceCode.number(of: residue, near: end)
    if number > end + Self.longestJump, doubtful != number - 1 {
      doubtful = number
      unnumbered += 1
      return
    }
    doubtful = nil
    if number > end {
      missed += number - end
      samples.append(contentsOf: repeatElement(.nan, count: (number - end) * channelCount))
    }
    if number == end { return samples.append(contentsOf: frame) }
    guard number >= first else { return }
    var isRevised = false
    for (i, sample) in frame.enumerated() {
      let place = (number - first) * channelCount + i
      isRevised = isRevised || samples[place].bitPattern != sample.bitPattern
      samples[place] = sample
    }
    if isRevised { revised += 1 }
  }

  /// Lets go of everything before `number`.
  package mutating func forget(before number: Int) {
    let count = min(max(0, number - first), samples.count / channelCount)
    samples.removeFirst(count * channelCount)
    first += count
  }
}
