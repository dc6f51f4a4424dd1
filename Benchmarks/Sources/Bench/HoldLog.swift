// SPDX-License-Identifier: Apache-2.0

import Answers
import Glibc

/// How long a semaphore was held, each time.
///
/// @unchecked: told while the semaphore is held, by one thread at a time; read when no one is told
/// any more.
final class HoldLog: @unchecked Sendable {
  private var begin = (processor: 0, wall: 0)
  /// Nanoseconds of the holder's own CPU time, without what the machine gave to others.
  private(set) var processor: [Int] = []
  /// Nanoseconds on the wall.
  private(set) var wall: [Int] = []

  init(capacity: Int) {
    processor.reserveCapacity(capacity)
    wall.reserveCapacity(capacity)
  }

  func changed(isHeld: Bool) {
    if isHeld {
      begin.wall = Effort.now()
      begin.processor = Effort.now(CLOCK_THREAD_CPUTIME_ID)
    } else {
      processor.append(Effort.now(CLOCK_THREAD_CPUTIME_ID) - begin.processor)
      wall.append(Effort.now() - begin.wall)
    }
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
