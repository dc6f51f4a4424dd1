// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering

/// Observers that are due when something is heard.
struct HeardDeadlines {
  /// Due when the next item is heard.
  var boundary: TimeObservation?
  /// Due when another chapter is heard.
  var chapter: TimeObservation?
  /// Due when the first frame of a start is heard that someone waits for.
  var firstFrame: TimeObservation?
  /// Due when an item says something else of itself, in order.
  private(set) var tags: [(time: RationalTime, observation: TimeObservation)] = []

  mutating func addTags(_ observation: TimeObservation, at time: RationalTime) {
    tags.append((time, observation))
  }

  /// Those up to `time` are heard.
  mutating func passTags(to time: RationalTime) { tags.removeAll { $0.time <= time } }

  /// Drops what is on the timeline from `time` on, which is not there any more; all of it where that is nil.
  mutating func dropTags(from time: RationalTime?) {
    tags.removeAll { item in time.map { item.time >= $0 } ?? true }
  }
}
