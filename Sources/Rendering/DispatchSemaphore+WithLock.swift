// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension DispatchSemaphore {
  /// Runs `body` between wait and signal of this semaphore, whose value is 1: a lock that no sanitizer
  /// takes for a race.
  ///
  /// Held for microseconds: nothing may wait inside.
  @inlinable package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    wait()
    defer { signal() }
    return try body()
  }
}
