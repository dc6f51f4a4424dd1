// SPDX-License-Identifier: Apache-2.0

/// The lock of an output: what is heard changes only with it held.
package protocol OutputLock: AnyObject, Sendable {
  /// Runs `body` with the lock held, for microseconds: nothing may wait inside.
  func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R

  /// True on a thread that holds the lock.
  var isHeld: Bool { get }
}

extension OwnedSemaphore: OutputLock {}
