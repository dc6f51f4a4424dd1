// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaTime
import Synchronization

/// The longest time for which the machine has kept a thread waiting that only sleeps.
///
/// A virtual machine stands still for as long as others need its processors: 146 and 185 ms were seen, in which no
/// program did anything.
final class Standstill: Sendable {
  private let storedLongest = Atomic<UInt64>(0)
  private let isOver = Atomic<Bool>(false)

  private init() {
    // Often enough to see 10 ms, and too seldom to keep a processor from resting.
    let period: UInt64 = 5_000_000
    Thread.detachNewThread { [self] in
      while !isOver.load(ordering: .relaxed) {
        let began = HostTime.now()
        Thread.sleep(forTimeInterval: Double(period) / 1e9)
        let now = HostTime.now()
        storedLongest.max(now - min(began + period, now), ordering: .relaxed)
      }
    }
  }

  /// Does `body`.
  ///
  /// - Returns: what that returns, and the longest time in it.
  static func during<R>(_ body: () throws -> R) rethrows -> (R, Duration) {
    let standstill = Standstill()
    defer { standstill.isOver.store(true, ordering: .relaxed) }
    let result = try body()
    return (result, .nanoseconds(standstill.storedLongest.load(ordering: .relaxed)))
  }
}
