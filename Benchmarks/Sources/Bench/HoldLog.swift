// SPDX-License-Identifier: Apache-2.0

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

  /// The longest hold and that of one in a thousand, in microseconds.
  func answers(_ name: String) -> [Answer] {
    [("CPU time", processor), ("wall time", wall)].flatMap { clock, times in
      let sorted = times.sorted()
      let rare = sorted[min(sorted.count - 1, sorted.count * 999 / 1_000)]
      return [
        Answer(
          name: "\(name), longest hold, \(clock)", value: Double(sorted.last!) / 1_000, unit: "µs",
          isJudged: clock == "CPU time"),
        Answer(
          name: "\(name), p99.9 of holds, \(clock)", value: Double(rare) / 1_000, unit: "µs",
          isJudged: clock == "CPU time"),
      ]
    }
  }
}
