// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// Tags that a stream of segments has from a time on.
struct TimedTags: Equatable {
  /// Time from the first heard frame of its part, in 1/90,000 s.
  let ticks: Int64
  let tags: Tags

  /// Ticks in a second, as transport streams count.
  static let perSecond: Int64 = 90_000
  /// Times of transport streams begin again behind so many.
  static let wrap: Int64 = 1 << 33

  /// The first frame that they are true of, of so many a second; 0 for what lies before.
  func frame(at rate: Int) -> Int64 {
    let (product, isTooLarge) = ticks.multipliedReportingOverflow(by: Int64(rate))
    return isTooLarge ? .max : max(0, (product + Self.perSecond / 2) / Self.perSecond)
  }

  /// The ticks from one time of a transport stream to another, the shorter way round.
  static func ticks(from start: Int64, to end: Int64) -> Int64 {
    let ahead = (end - start) & (wrap - 1)
    return ahead >= wrap / 2 ? ahead - wrap : ahead
  }

  /// `tags` with all of these in the place of what they have of the same names.
  func over(_ tags: Tags) -> Tags {
    var all = tags
    for name in self.tags.names { all[name] = self.tags[name] }
    return all
  }
}
