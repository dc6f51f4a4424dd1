// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Threads that always have something to do, more than there are processors.
final class Load: Sendable {
  private let isOver = Atomic(false)

  init() {
    for _ in 0...ProcessInfo.processInfo.activeProcessorCount {
      Thread { while !self.isOver.load(ordering: .relaxed) {} }.start()
    }
  }

  /// Ends them.
  func end() { isOver.store(true, ordering: .relaxed) }
}
