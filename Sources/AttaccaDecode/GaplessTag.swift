// SPDX-License-Identifier: Apache-2.0

/// The tag that iTunes writes as "iTunSMPB": hexadecimal numbers.
///
/// The second is the encoder's delay, the third its padding, and the fourth the frames between.
struct GaplessTag: Equatable {
  let priming: Int64
  let padding: Int64
  let count: Int64

  /// nil for what is none.
  init?(_ text: String) {
    let numbers = text.split(separator: " ").prefix(4).map { Int64($0, radix: 16) }
    guard numbers.count == 4, let priming = numbers[1], let padding = numbers[2],
      let count = numbers[3], (0...1 << 20).contains(priming), (0...1 << 20).contains(padding),
      count > 0, count < 1 << 48
    else { return nil }
    self.init(priming: priming, padding: padding, count: count)
  }

  private init(priming: Int64, padding: Int64, count: Int64) {
    (self.priming, self.padding, self.count) = (priming, padding, count)
  }

  /// The same in frames as they are decoded, of which the file has `total`; nil where it is not this file's tag.
  ///
  /// Of HE-AAC some count frames of half the rate. A file that was put together of several may have the first one's.
  func fitting(_ total: Int64?) -> GaplessTag? {
    guard let total else { return self }
    let sum = priming + padding + count
    if abs(sum - total) <= Self.tolerance { return priming + count <= total ? self : nil }
    guard abs(2 * sum - total) <= Self.tolerance else { return nil }
    return GaplessTag(priming: 2 * priming, padding: 2 * padding, count: 2 * count)
  }

  /// Frames: two packets of HE-AAC.
  private static let tolerance: Int64 = 4_096
}
