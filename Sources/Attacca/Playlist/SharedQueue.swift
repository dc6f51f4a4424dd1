// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Rendering
import Synchronization

/// A queue's state, guarded by one binary semaphore: lock, decide, unlock, act.
///
/// The semaphore is held for one transition of playing, or to put in a state that an operation has
/// made: never while a file is touched, and never while anyone is called or memory of a long list is
/// let go.
final class SharedQueue: @unchecked Sendable {
  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`, except
  // `hearing` and `changed`, which are set before anyone else has this object.
  let semaphore = OwnedSemaphore()
  var state = QueueState()
  /// Counts transitions.
  var revision = 0
  /// Someone who has `line` builds the list anew: others that would change it wait for that.
  var isReserved = false
  /// Held while a list is built for the second time, by its builder; taken without `semaphore`.
  let line = DispatchSemaphore(value: 1)
  var waiters: [SeekWaiter] = []
  private var lastWaiter = 0
  private var cancelledWaiters: Set<Int> = []
  /// Differences that have not been sent yet.
  var outbox: [PlaylistDifference] = []
  /// Whoever has it sends, so that differences arrive in order.
  let delivery = DispatchSemaphore(value: 1)
  let differences = EventSource<PlaylistDifference>()
  /// True once whoever plays has been told that there is something to follow.
  private let isAnnounced = Atomic<Bool>(false)
  private(set) var hearing: (@Sendable () -> HeardPosition?)?
  private(set) var changed: (@Sendable () -> Void)?

  /// Begins to serve who plays it: `hearing` tells what is heard now, `changed` is called after every transition,
  /// by the thread that made it.
  ///
  /// - Precondition: nobody else has this object yet.
  func attach(
    hearing: @escaping @Sendable () -> HeardPosition?,
    changed: @escaping @Sendable () -> Void
  ) {
    (self.hearing, self.changed) = (hearing, changed)
  }

  // MARK: Following

  /// True while there is a state that has not been taken up yet; any thread.
  var hasToFollow: Bool { isAnnounced.load(ordering: .relaxed) }

  /// Announces that there is another state.
  ///
  /// - Returns: false where that has been announced, and not been taken up yet.
  func announce() -> Bool { !isAnnounced.exchange(true, ordering: .acquiringAndReleasing) }

  /// Takes up the latest state, which is looked at from now on.
  func takeUp() { isAnnounced.store(false, ordering: .sequentiallyConsistent) }

  // MARK: Looking

  /// The state now; O(1).
  var snapshot: QueueState {
    semaphore.wait()
    defer { semaphore.signal() }
    return state
  }

  var revisedSnapshot: (QueueState, Int) {
    semaphore.wait()
    defer { semaphore.signal() }
    return (state, revision)
  }

  /// The items now, with the differences to come.
  var changes: PlaylistChanges {
    let events = differences.subscribe()
    let now = snapshot
    return PlaylistChanges(
      snapshot: now.items, serialNumber: now.serialNumber, events: events)
  }

  // MARK: Waiting for a start to be heard

  /// Carries out an operation that begins something, and waits until its first frame is heard.
  ///
  /// - Returns: false when it began nothing, when another start took its place before, or when the
  ///   task was cancelled.
  func begin(_ body: @Sendable (inout QueueState, HeardPosition?) -> Bool) async -> Bool {
    let number = nextWaiterNumber()
    defer { forgetWaiter(number) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        var isWaiting = false
        editUnderSemaphore { state, hearing in
          guard body(&state, hearing), !cancelledWaiters.contains(number) else { return [] }
          isWaiting = true
          // Waiters of older starts are let go after this, by the generation.
          waiters.append(
            SeekWaiter(
              number: number, generation: state.generation, continuation: continuation))
          return state.current.map { [$0.id] } ?? []
        }
        if !isWaiting { continuation.resume(returning: false) }
      }
    } onCancel: {
      cancelWaiter(number)
    }
  }

  /// Tells whether anyone waits for the start with this number.
  func isAwaited(_ generation: Int) -> Bool {
    semaphore.wait()
    defer { semaphore.signal() }
    return waiters.contains { $0.generation == generation }
  }

  /// The first frame of a start has been heard, or never will be.
  func settle(_ generation: Int, wasHeard: Bool) {
    semaphore.wait()
    let settled = waiters.filter { $0.generation == generation }
    waiters.removeAll { $0.generation == generation }
    semaphore.signal()
    for waiter in settled { waiter.continuation.resume(returning: wasHeard) }
  }

  /// Nobody will play any more.
  func abandonWaiters() {
    semaphore.wait()
    let lost = waiters
    waiters = []
    semaphore.signal()
    for waiter in lost { waiter.continuation.resume(returning: false) }
  }

  private func nextWaiterNumber() -> Int {
    semaphore.wait()
    defer { semaphore.signal() }
    lastWaiter += 1
    return lastWaiter
  }

  private func forgetWaiter(_ number: Int) {
    semaphore.wait()
    defer { semaphore.signal() }
    cancelledWaiters.remove(number)
  }

  private func cancelWaiter(_ number: Int) {
    semaphore.wait()
    cancelledWaiters.insert(number)
    let index = waiters.firstIndex { $0.number == number }
    let waiter = index.map { waiters.remove(at: $0) }
    semaphore.signal()
    waiter?.continuation.resume(returning: false)
  }
}
