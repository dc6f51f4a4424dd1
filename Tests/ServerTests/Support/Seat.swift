// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// One of the few playbacks that run at the same time, for as long as it is held.
///
/// More of them would measure how busy the machine is, and a PulseAudio server takes 64 clients.
final class Seat: @unchecked Sendable {
  // @unchecked: `leaving` is set by the thread that took the seat, before anyone else has it.
  private static let free = DispatchSemaphore(value: 10)
  private var leaving: (@Sendable () -> Void)?

  /// Waits until one is free.
  init() { Self.free.wait() }

  /// What to do at the end.
  func leave(_ leaving: @escaping @Sendable () -> Void) { self.leaving = leaving }

  deinit {
    leaving?()
    Self.free.signal()
  }
}
