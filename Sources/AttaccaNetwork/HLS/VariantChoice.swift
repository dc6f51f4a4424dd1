// SPDX-License-Identifier: Apache-2.0

/// Choice of the variant that is loaded next, by how fast the last segments came.
///
/// Less is taken at once; more once two segments in a row came fast enough for it.
struct VariantChoice: Equatable {
  /// Bits a second, in ascending order.
  let bandwidths: [Int]
  private(set) var index: Int
  /// Bits a second, the newer counting more; nil before the first segment.
  private(set) var estimate: Double?
  /// Segments in a row that would have let through more.
  private var good = 0
  /// Those that are not there.
  private var refused: Set<Int> = []

  func isRefused(_ index: Int) -> Bool { refused.contains(index) }

  /// Two of its segments come while one is heard, as fast as the last ones came.
  var hasRoomForTwo: Bool { estimate.map { $0 >= 2 * Double(bandwidths[index]) } ?? false }

  /// Begins with the middle one.
  init(_ bandwidths: [Int]) {
    (self.bandwidths, index) = (bandwidths, bandwidths.count / 2)
    if bandwidths.count > 0, bandwidths.count % 2 == 0 { index -= 1 }
  }

  /// Takes variant `missing` for one that is not there, and goes on with `present`, or the nearest one, the lesser first.
  ///
  /// - Returns: false where none is left.
  mutating func refuse(_ missing: Int, for present: Int? = nil) -> Bool {
    refused.insert(missing)
    let left = bandwidths.indices.filter { !refused.contains($0) }
    guard let nearest = present ?? left.last(where: { $0 < missing }) ?? left.first else {
      return false
    }
    (index, good) = (nearest, 0)
    return true
  }

  /// A segment of so many bytes took so long.
  mutating func note(bytes: Int, seconds: Double) {
    guard bytes > 0, bandwidths.count > 1 else { return }
    let rate = Double(8 * bytes) / max(seconds, 0.001)
    estimate = estimate.map { 0.5 * $0 + 0.5 * rate } ?? rate
    // One slow segment counts as it is.
    let present = min(estimate ?? rate, rate)
    if present * 0.9 < Double(bandwidths[index]) {
      good = 0
      let left = bandwidths.indices.filter { !refused.contains($0) }
      index = left.last { Double(bandwidths[$0]) <= present * 0.7 } ?? left.first ?? index
      return
    }
    let more = bandwidths.indices.first { $0 > index && !refused.contains($0) }
    guard let more, present * 0.7 > Double(bandwidths[more]) else {
      good = 0
      return
    }
    good += 1
    guard good >= 2 else { return }
    (good, index) = (0, more)
  }
}
