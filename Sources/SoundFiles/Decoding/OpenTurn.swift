// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// One open at a time, unless one hangs.
///
/// A turn that is not given back in time belongs to an open that hangs. It is taken over then: the
/// worst that follows is another open's error text. Thread-safe.
final class OpenTurn: Sendable {
  /// libsndfile keeps the error of a failed `sf_open` in globals.
  ///
  /// Whoever asks for another file is not to wait for one on a disk that sleeps.
  static let libsndfile = OpenTurn(timeout: .milliseconds(50))

  private let timeout: DispatchTimeInterval
  private let semaphore = DispatchSemaphore(value: 1)
  private let lastTicket = Atomic<UInt64>(0)
  private let holder = Atomic<UInt64>(0)

  init(timeout: DispatchTimeInterval) { self.timeout = timeout }

  /// Runs `body` while no other open runs, unless that one has outlasted the timeout.
  func take<R>(_ body: () -> R) -> R {
    _ = semaphore.wait(timeout: .now() + timeout)
    let ticket = lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
    holder.store(ticket, ordering: .relaxed)
    defer {
      // Only the present holder signals: one that comes back late must not let two in.
      if holder.load(ordering: .relaxed) == ticket { semaphore.signal() }
    }
    return body()
  }
}
