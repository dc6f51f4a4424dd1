// SPDX-License-Identifier: Apache-2.0

import MediaTime

// Silence between items. It lies in front of an item, before its offset zero, in either direction.
extension PlayOrder {
  /// Silence between an item and the one in front of it.
  func gap(before occurrence: Occurrence) -> RationalTime {
    let own = item(of: occurrence)?.gap.map { RationalTime($0) }
    return min(own ?? gap, PlayedRange.end)
  }

  /// Offset at which an item is begun that another one leads to.
  func entry(of occurrence: Occurrence) -> RationalTime {
    isReversed
      ? PlayedRange.edge(isReversed: true) : RationalTime.zero - gap(before: occurrence)
  }

  /// Offset at which an item is left that is played to its end in the direction of playing; nil for that end itself.
  func exit(of occurrence: Occurrence) -> RationalTime? {
    guard isReversed, successor(of: occurrence) != nil else { return nil }
    let gap = gap(before: occurrence)
    return gap > .zero ? .zero - gap : nil
  }
}
