// SPDX-License-Identifier: Apache-2.0

import Answers
import CHolds

/// How long a playlist's semaphore was held, each time.
struct HoldLog {
  /// Nanoseconds of the holder's own CPU time, without what the machine gave to others.
  let processor: [Int]
  /// Nanoseconds on the wall.
  let wall: [Int]

  /// The holds while `body` runs, at most `capacity`.
  ///
  /// `take` takes the semaphore before any other.
  init(capacity: Int, of take: () -> Void, while body: () -> Void) {
    watch_holds(capacity)
    take()
    body()
    end_holds()
    processor = (0..<hold_count()).map(hold_processor)
    wall = (0..<hold_count()).map(hold_wall)
  }

  /// The longest hold, in microseconds, and that of one in a thousand.
  ///
  /// Judged is the middle one of the longest of each third: what the machine takes for others is on
  /// the processor's account, too; reading 30 random lines of memory 225,000 times took 60 to 150 µs
  /// at most.
  func answers(_ name: String) -> [Answer] {
    [("CPU time", processor), ("wall time", wall)].flatMap { clock, times in
      let third = times.count / 3
      let thirds = (0..<3).map { times[($0 * third)..<($0 * third + third)].max() ?? 0 }.sorted()
      let figures = [
        ("longest hold", times.max()!), ("longest hold of a third", thirds[1]),
        ("p99.9 of holds", times.percentile(99.9)),
      ]
      return figures.map { what, nanoseconds in
        Answer(
          name: "\(name), \(what), \(clock)", value: Double(nanoseconds) / 1_000, unit: "µs",
          isJudged: clock == "CPU time" && what != "longest hold")
      }
    }
  }
}
