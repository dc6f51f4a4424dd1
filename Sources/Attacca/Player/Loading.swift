// SPDX-License-Identifier: Apache-2.0

import Dispatch
import SampleBuffers

/// A value that is loaded once for all who ask, on a thread that ends with it.
final class Loading<Value: Sendable>: @unchecked Sendable {
  // @unchecked: `state` and `waiters` are touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var state = LoadingState<Value>()
  private var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
  private var lastWaiter = 0

  var status: AudioAssetStatus<Value> { semaphore.withLock { state.status } }

  /// The value, which `load` makes if nobody has begun to.
  func value(
    _ load: @escaping @Sendable (LoadingWork) throws -> Value
  ) async throws -> Value {
    let number = semaphore.withLock {
      lastWaiter += 1
      return lastWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        wait(number, continuation, load)
      }
    } onCancel: {
      let waiter = semaphore.withLock { waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func wait(
    _ number: Int, _ continuation: CheckedContinuation<Value, any Error>,
    _ load: @escaping @Sendable (LoadingWork) throws -> Value
  ) {
    // The handler has run by now, or will find the waiter.
    let isCancelled = Task.isCancelled
    let answer = semaphore.withLock {
      let answer = isCancelled ? nil : state.request()
      if case .wait = answer { waiters[number] = continuation }
      if case .begin = answer { waiters[number] = continuation }
      return answer
    }
    switch answer {
    case nil: continuation.resume(throwing: CancellationError())
    case .value(let value): continuation.resume(returning: value)
    case .wait: break
    case .begin(let work):
      NamedThread.start("attacca-asset", stackSize: 1 << 20) { [self] in
        finish(work, Result { try load(work) })
      }
    }
    if Task.isCancelled, !isCancelled {
      let waiter = semaphore.withLock { waiters.removeValue(forKey: number) }
      waiter?.resume(throwing: CancellationError())
    }
  }

  private func finish(_ work: LoadingWork, _ result: Result<Value, any Error>) {
    let finished = semaphore.withLock {
      guard state.finish(work, result) else { return [CheckedContinuation<Value, any Error>]() }
      defer { waiters = [:] }
      return Array(waiters.values)
    }
    for waiter in finished { waiter.resume(with: result) }
  }

  /// Ends the work, and lets go of all who wait.
  func cancel() {
    let (work, left) = semaphore.withLock {
      defer { waiters = [:] }
      return (state.cancel(), Array(waiters.values))
    }
    work?.cancel()
    for waiter in left { waiter.resume(throwing: CancellationError()) }
  }
}
