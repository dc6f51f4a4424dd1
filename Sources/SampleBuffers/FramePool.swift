// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Lends out frame memory and takes it back by itself when the last buffer that holds it is gone.
///
/// The pool keeps a reference to everything it has lent; what no one else references is free again.
/// Thread-safe. After warm-up, taking allocates nothing.
public final class FramePool: @unchecked Sendable {
  // @unchecked: `lent` is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var lent: [FrameStorage] = []

  /// An empty pool.
  public init() {}

  /// Memory for at least `samples` samples, its contents undefined.
  public func take(samples: Int) -> FrameStorage {
    semaphore.wait()
    defer { semaphore.signal() }
    for i in lent.indices where lent[i].capacity >= samples {
      if isKnownUniquelyReferenced(&lent[i]) { return lent[i] }
    }
    // Smaller ones that are free would never be asked for again.
    lent.removeAll { $0.capacity < samples }
    let storage = FrameStorage(capacity: samples)
    lent.append(storage)
    return storage
  }
}
