// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// How often things are measured, and how.
package struct Effort {
  /// Just once, to see that it runs.
  package let isQuick: Bool

  package init(isQuick: Bool) { self.isQuick = isQuick }

  /// `full` times, or a few.
  package func times(_ full: Int) -> Int { isQuick ? max(1, full / 100) : full }

  /// Nanoseconds of a clock.
  package static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Nanoseconds of one of `count` calls: the fastest of `rounds`, as what disturbs only slows.
  package func nanoseconds(calls count: Int = 1, rounds: Int = 50, _ body: () throws -> Void)
    rethrows
    -> Double
  {
    var fastest = Int.max
    for _ in 0..<times(rounds) {
      let begin = Self.now()
      for _ in 0..<count { try body() }
      fastest = min(fastest, Self.now() - begin)
    }
    return Double(fastest) / Double(count)
  }

  /// How many times as long `body` takes as `base` does, the two by turns; and nanoseconds of it.
  package func ratio(
    rounds: Int = 400, _ body: () -> Void, to base: () -> Void
  ) -> (ratio: Double, nanoseconds: Double) {
    var (mine, its) = (Int.max, Int.max)
    for _ in 0..<times(rounds) {
      var begin = Self.now()
      base()
      its = min(its, Self.now() - begin)
      begin = Self.now()
      body()
      mine = min(mine, Self.now() - begin)
    }
    return (Double(mine) / Double(max(1, its)), Double(mine))
  }
}
