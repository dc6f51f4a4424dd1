// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The sum of what has been left out of what was heard.
struct SkippedSilence {
  /// Length of all that has been counted.
  private(set) var total = RationalTime.zero
  /// The time of the timeline in front of which it has been; nil where nothing is on it.
  ///
  /// What is left out at that time itself may not be known yet: nothing is heard behind it.
  private var counted: RationalTime?

  /// Another stretch of the timeline is heard from `time` on.
  mutating func begin(at time: RationalTime?) { counted = time }

  /// Length of what is left out of `spans` up to `time` and has not been counted.
  func untold(of spans: [ItemSpan], upTo time: RationalTime) -> RationalTime {
    sum(of: spans) { $0 <= time }
  }

  /// Counts what is left out of `spans` before `time`.
  ///
  /// - Returns: length of what had not been counted.
  mutating func count(_ spans: [ItemSpan], before time: RationalTime) -> RationalTime {
    let new = sum(of: spans) { $0 < time }
    total = total + new
    counted = counted.map { max($0, time) }
    return new
  }

  private func sum(
    of spans: [ItemSpan], where isHeard: (RationalTime) -> Bool
  ) -> RationalTime {
    guard let counted else { return .zero }
    var sum = RationalTime.zero
    for span in spans {
      for part in span.skips.parts.reversed() {
        let time = span.lineStart + part.line
        guard time >= counted else { break }
        if isHeard(time) { sum = sum + part.length }
      }
    }
    return sum
  }
}
