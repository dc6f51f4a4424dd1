// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// A time observer, for as long as it is kept: released or cancelled, it is not called again.
///
/// The corresponding AVFoundation value is the token of `addPeriodicTimeObserver` and
/// `addBoundaryTimeObserver`; unlike there, nothing happens when it is removed twice, removed from
/// a synchronizer it does not belong to, or released without being removed.
public final class TimeObservation: @unchecked Sendable {
  // @unchecked: `isCancelled` is touched only between wait and signal of `semaphore`.
  let id: Int
  weak let owner: ObserverClock?
  private let semaphore = DispatchSemaphore(value: 1)
  private var isCancelled = false

  init(id: Int, owner: ObserverClock) {
    (self.id, self.owner) = (id, owner)
  }

  deinit { cancel() }

  /// Ends the observation.
  ///
  /// After it returns no new call starts; one under way on another thread may still run. Calling it
  /// again does nothing.
  public func cancel() {
    semaphore.wait()
    let wasCancelled = isCancelled
    isCancelled = true
    semaphore.signal()
    if !wasCancelled { owner?.remove(id: id) }
  }
}
