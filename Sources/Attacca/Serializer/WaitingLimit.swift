// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The time for which a file is waited for that neither opens nor reads on; thread-safe.
final class WaitingLimit: Sendable {
  private let stored: Atomic<UInt64>

  init(seconds: Double) { stored = Atomic(UInt64(seconds * 1e9)) }

  var nanoseconds: UInt64 {
    get { stored.load(ordering: .relaxed) }
    set { stored.store(newValue, ordering: .relaxed) }
  }

  var seconds: Double { Double(nanoseconds) / 1e9 }
}
