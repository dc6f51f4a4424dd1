// SPDX-License-Identifier: Apache-2.0

extension Array where Element: Comparable {
  /// The least value that `percent` of all are not above; there must be one.
  package func percentile(_ percent: Double) -> Element {
    let rank = (Double(count) * percent / 100).rounded(.up)
    return sorted()[Swift.max(0, Int(rank) - 1)]
  }
}
