// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// What is heard, for readers on any thread.
final class NowPlaying: @unchecked Sendable {
  // @unchecked: `stored` is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var stored: ItemSpan?

  var span: ItemSpan? {
    get {
      semaphore.wait()
      defer { semaphore.signal() }
      return stored
    }
    set {
      semaphore.wait()
      defer { semaphore.signal() }
      stored = newValue
    }
  }
}
