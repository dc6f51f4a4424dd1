// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Runs `body` with 0..<`count`, each on a thread of its own, and waits for all of them.
///
/// Not `concurrentPerform`: that may run one after the other, and a body that waits for another
/// would never end.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for i in 0..<count {
    Thread {
      body(i)
      ended.signal()
    }.start()
  }
  for _ in 0..<count { ended.wait() }
}
