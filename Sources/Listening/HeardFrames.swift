// SPDX-License-Identifier: Apache-2.0

/// Samples of a sink's channel, each at the number of the reference frame that was heard with it.
package struct HeardFrames {
  /// The number of the first frame that is kept.
  package private(set) var first = 0
  /// One sample a number; NaN where the monitor gave nothing at that number.
  private var samples: [Float] = []
  /// Numbers that were heard again with other samples: the monitor gave what was then taken back.
  package private(set) var revised = 0
  /// Numbers that were passed over.
  package private(set) var missed = 0
  /// Recorded frames without a reference, once there had been one.
  package private(set) var unnumbered = 0

  package init() {}

  /// The number after the last.
  package var end: Int { first + samples.count }

  /// The sample at a number; nil where the monitor gave none, or it is not recorded, or forgotten.
  package subscript(number: Int) -> Float? {
    guard number >= first, number < end else { return nil }
    let sample = samples[number - first]
    return sample.isNaN ? nil : sample
  }

  /// Adds a recorded frame: the sample to be kept and the reference's.
  ///
  /// Where the same number comes again, the later sample is what was heard: a sink that rewinds has
  /// taken the earlier one back.
  package mutating func append(_ sample: Float, reference: Float) {
    guard let residue = ReferenceCode.residue(of: reference) else {
      if !samples.isEmpty { unnumbered += 1 }
      return
    }
    guard !samples.isEmpty else {
      (first, samples) = (residue, [sample])
      return
    }
    let number = ReferenceCode.number(of: residue, near: end)
    if number == end { return samples.append(sample) }
    if number > end {
      missed += number - end
      samples.append(contentsOf: repeatElement(.nan, count: number - end))
      return samples.append(sample)
    }
    guard number >= first else { return }
    if samples[number - first].bitPattern != sample.bitPattern {
      revised += 1
      samples[number - first] = sample
    }
  }

  /// Lets go of everything before `number`.
  package mutating func forget(before number: Int) {
    let count = min(max(0, number - first), samples.count)
    samples.removeFirst(count)
    first += count
  }
}
