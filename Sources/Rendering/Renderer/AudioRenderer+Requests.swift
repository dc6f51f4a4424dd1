// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import SampleBuffers

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
      let number = producers.request.begin(through: call)
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
    output.withLock { producers.request.end() }
  }

  /// With the output's lock held.
  func signalIfReady() {
    assertLocked()
    // Frames that found no room are converted as soon as there is some, off the output's thread.
    guard intake.pendingBuffers == 0 else { return conversions.wake() }
    guard isReady else { return }
    producers.waiters.takeFirst()?.resume(.success(()))
    producers.request.ready(enqueued: producers.enqueuedBuffers)
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
      let enqueued = producers.enqueuedBuffers
      if producers.request.returned(number: number, enqueued: enqueued) { signalIfReady() }
    }
  }

  /// Adds a buffer, waiting first until the renderer is ready for it.
  ///
  /// The corresponding call is `AVSampleBufferRenderSynchronizer.Receiver.enqueue(_:)`.
  ///
  /// - Throws: `CancellationError` when the task was cancelled while waiting; the renderer's error
  ///   when it has failed.
  public func enqueueWhenReady(_ buffer: SampleBuffer) async throws {
    let number = output.withLock { producers.waiters.nextNumber() }
    defer { output.withLock { producers.waiters.forget(number) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        output.withLock {
          wait(EnqueueWaiters.Waiter(number: number) { continuation.resume(with: $0) })
        }
      }
    } onCancel: {
      output.withLock {
        producers.waiters.cancel(number)?.resume(.failure(CancellationError()))
      }
    }
    enqueue(buffer)
    // The next one's turn, if there is still room.
    output.withLock { if !producers.waiters.waiting.isEmpty { signalIfReady() } }
  }

  private func wait(_ waiter: EnqueueWaiters.Waiter) {
    let outcome = producers.waiters.wait(waiter, isReady: isReady, error: health.error)
    if let outcome { waiter.resume(outcome) }
  }
}
