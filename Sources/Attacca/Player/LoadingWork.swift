// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Work of a loading that may be ended before it is done.
final class LoadingWork: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var isCancelled = false
  private var ending: (() -> Void)?

  /// Has `body` called where the work is cancelled, by who cancels it; at once where it has been.
  func onCancel(_ body: @escaping () -> Void) {
    let isLate = semaphore.withLock {
      if !isCancelled { ending = body }
      return isCancelled
    }
    if isLate { body() }
  }

  /// - Throws: A `CancellationError` once the work is cancelled.
  func check() throws {
    if semaphore.withLock({ isCancelled }) { throw CancellationError() }
  }

  func cancel() {
    let body = semaphore.withLock {
      isCancelled = true
      return ending.take()
    }
    body?()
  }
}
