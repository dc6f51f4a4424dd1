// SPDX-License-Identifier: Apache-2.0

/// Tasks that wait to enqueue, one after the other.
struct EnqueueWaiters {
  /// A task that waits to enqueue.
  struct Waiter {
    let number: Int
    /// Goes on: throwing, where it is not to enqueue.
    let resume: @Sendable (Result<Void, any Error>) -> Void
  }

  private(set) var waiting: [Waiter] = []
  /// The numbers of those that were cancelled before they waited, or as their turn came.
  private(set) var cancelled: Set<Int> = []
  private var lastNumber = 0

  /// The number of a task that is going to wait.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// A task waits, unless the renderer `isReady`, has failed with `error`, or the task has been cancelled.
  ///
  /// - Returns: what it goes on with at once; nil where it waits.
  mutating func wait(
    _ waiter: Waiter, isReady: @autoclosure () -> Bool, error: (any Error)?
  ) -> Result<Void, any Error>? {
    if let error { return .failure(error) }
    if cancelled.remove(waiter.number) != nil { return .failure(CancellationError()) }
    if isReady() { return .success(()) }
    waiting.append(waiter)
    return nil
  }

  /// The task with a number has been cancelled.
  ///
  /// - Returns: it, where it waits: it goes on with a `CancellationError`.
  mutating func cancel(_ number: Int) -> Waiter? {
    guard let i = waiting.firstIndex(where: { $0.number == number }) else {
      cancelled.insert(number)
      return nil
    }
    return waiting.remove(at: i)
  }

  /// The task with a number waits no more, nor will it: one that is cancelled after its turn came leaves its
  /// number behind.
  mutating func forget(_ number: Int) { cancelled.remove(number) }

  /// The task whose turn it is; nil where none waits.
  ///
  /// One at a time: its buffer may make the renderer full.
  mutating func takeFirst() -> Waiter? { waiting.isEmpty ? nil : waiting.removeFirst() }

  /// All that wait.
  mutating func takeAll() -> [Waiter] {
    defer { waiting.removeAll() }
    return waiting
  }
}
