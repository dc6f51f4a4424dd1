// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Synchronization

/// A binary semaphore that knows the thread between its wait and its signal, so that debug builds stop whoever
/// assumes to be that thread and is not.
///
/// Held for microseconds: nothing may wait inside. Not to be taken twice by one thread.
package final class OwnedSemaphore: Sendable {
  private let semaphore = DispatchSemaphore(value: 1)
  /// Thread that holds the semaphore; 0 for none.
  private let owner = Atomic<UInt>(0)

  /// A semaphore that no one holds.
  package init() {}

  /// Takes the semaphore, once no one else has it.
  package func wait() {
    semaphore.wait()
    owner.store(Self.thisThread, ordering: .relaxed)
  }

  /// Gives the semaphore back.
  package func signal() {
    owner.store(0, ordering: .relaxed)
    semaphore.signal()
  }

  /// Runs `body` between wait and signal.
  package func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    wait()
    defer { signal() }
    return try body()
  }

  /// True on the thread that holds the semaphore.
  package var isHeld: Bool { owner.load(ordering: .relaxed) == Self.thisThread }

  /// Stops debug builds where the calling thread does not hold the semaphore.
  package func assertHeld(_ call: StaticString = #function) {
    assert(isHeld, "\(call) needs the lock: use `withLock`")
  }

  private static var thisThread: UInt { UInt(pthread_self()) }
}
