// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// One `sf_open` at a time: libsndfile keeps the error of a failed open in globals.
///
/// A turn that is not given back within two seconds belongs to an open that hangs. It is taken
/// over then: the worst that follows is another open's error text.
enum OpenTurn {
  private static let semaphore = DispatchSemaphore(value: 1)
  private static let lastTicket = Atomic<UInt64>(0)
  private static let holder = Atomic<UInt64>(0)

  /// Runs `body` while no other open runs, unless that one hangs.
  static func take<R>(_ body: () -> R) -> R {
    _ = semaphore.wait(timeout: .now() + .seconds(2))
    let ticket = lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
    holder.store(ticket, ordering: .relaxed)
    defer {
      // Only the present holder signals: one that comes back late must not let two in.
      if holder.load(ordering: .relaxed) == ticket { semaphore.signal() }
    }
    return body()
  }
}
