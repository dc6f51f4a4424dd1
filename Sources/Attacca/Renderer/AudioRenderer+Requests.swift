// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import SampleBuffers

/// Someone who waits to enqueue.
struct EnqueueWaiter {
  let number: Int
  let continuation: CheckedContinuation<Void, any Error>
}

extension AudioRenderer {
  /// Calls `block` on `queue` whenever the renderer is ready for more, until stopped.
  ///
  /// The block should enqueue until not ready or out of data. It is called again only after it
  /// enqueued something, or when readiness has come anew; never while paused or full. A second
  /// request replaces the first. The corresponding call is
  /// `AVSampleBufferAudioRenderer.requestMediaDataWhenReady(on:using:)`.
  public func requestMediaDataWhenReady(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    let call = DispatchSource.makeUserDataAddSource(queue: queue)
    output.withLock {
      let number = request.begin(through: call)
      call.setEventHandler { [weak self] in
        // A block that holds its renderer `unowned` must not be called without it.
        guard let self else { return }
        block()
        requestReturned(number)
      }
      call.activate()
      signalIfReady()
    }
  }

  /// Ends what `requestMediaDataWhenReady` began; a call that is under way goes on.
  public func stopRequestingMediaData() {
    output.withLock { request.end() }
  }

  /// With the output's lock held.
  func signalIfReady() {
    // Frames that found no room are converted as soon as there is some, off the output's thread.
    guard pendingBuffers == 0 else { return pendingConversion.add(data: 1) }
    guard isReady else { return }
    resumeWaiters(throwing: nil)
    request.ready(enqueued: enqueuedBuffers)
  }

  /// Converts what found no room before.
  func convertPending() {
    let target = output.withLock {
      LineTarget(renderer: self, generation: line.generation, conversion: conversion)
    }
    target.conversion.advance(into: target)
  }

  private func requestReturned(_ number: Int) {
    output.withLock {
      if request.returned(number: number, enqueued: enqueuedBuffers) { signalIfReady() }
    }
  }

  /// Adds a buffer, waiting first until the renderer is ready for it.
  ///
  /// The corresponding call is `AVSampleBufferRenderSynchronizer.Receiver.enqueue(_:)`.
  ///
  /// - Throws: `CancellationError` when the task was cancelled while waiting; the renderer's error
  ///   when it has failed.
  public func enqueueWhenReady(_ buffer: SampleBuffer) async throws {
    let number = output.withLock { nextWaiterNumber() }
    // A task that is cancelled after its turn came leaves its number behind.
    defer { output.withLock { _ = cancelledWaiters.remove(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        output.withLock { wait(EnqueueWaiter(number: number, continuation: continuation)) }
      }
    } onCancel: {
      output.withLock { cancelWaiter(number) }
    }
    enqueue(buffer)
    // The next one's turn, if there is still room.
    output.withLock { if !waiters.isEmpty { signalIfReady() } }
  }

  private func nextWaiterNumber() -> Int {
    lastWaiter += 1
    return lastWaiter
  }

  private func wait(_ waiter: EnqueueWaiter) {
    if let storedError {
      waiter.continuation.resume(throwing: storedError)
    } else if cancelledWaiters.remove(waiter.number) != nil {
      waiter.continuation.resume(throwing: CancellationError())
    } else if isReady {
      waiter.continuation.resume()
    } else {
      waiters.append(waiter)
    }
  }

  private func cancelWaiter(_ number: Int) {
    guard let i = waiters.firstIndex(where: { $0.number == number }) else {
      cancelledWaiters.insert(number)
      return
    }
    waiters.remove(at: i).continuation.resume(throwing: CancellationError())
  }

  /// With the output's lock held.
  func resumeWaiters(throwing error: (any Error)?) {
    if let error {
      for waiter in waiters { waiter.continuation.resume(throwing: error) }
      waiters.removeAll()
    } else if !waiters.isEmpty {
      // One at a time: its buffer may make the renderer full.
      waiters.removeFirst().continuation.resume()
    }
  }
}
