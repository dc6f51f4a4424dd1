// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
@testable import Rendering
import Synchronization
import Testing

@Suite struct RendererRequestTests {
  private static let second = buffer([Float](repeating: 1, count: 48_000), atFrame: 0)

  private func second(_ number: Int) -> SampleBuffer {
    Self.second.at(RationalTime(frames: Int64(number), rate: 1))
  }

  @Test func `the block is called until the renderer is full, and again when it is not`() {
    let line = PulledLine()
    let queue = DispatchQueue(label: "feeding")
    let called = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var enqueued = 0  // touched on `queue` only
    line.renderer.requestMediaDataWhenReady(on: queue) { [renderer = line.renderer] in
      renderer.enqueue(second(enqueued))
      enqueued += 1
      called.signal()
    }
    for _ in 0..<line.secondsToFill { called.wait() }
    // Full: nothing but time makes room.
    queue.sync {}
    #expect(called.wait(timeout: .now()) == .timedOut)
    line.synchronizer.rate = 1
    _ = line.pull(10)
    called.wait()
    #expect(queue.sync { enqueued } == line.secondsToFill + 1)
    line.renderer.stopRequestingMediaData()
  }

  @Test func `a block with nothing to give is called once for each time of readiness`() {
    let line = PulledLine()
    let queue = DispatchQueue(label: "feeding")
    let called = DispatchSemaphore(value: 0)
    line.renderer.enqueue(second(0))
    line.renderer.requestMediaDataWhenReady(on: queue) { called.signal() }
    called.wait()
    for _ in 0..<100 { queue.sync {} }
    #expect(called.wait(timeout: .now()) == .timedOut)
    line.synchronizer.rate = 1
    called.wait()
    queue.sync {}
    line.renderer.stopRequestingMediaData()
  }

  @Test func `a second request replaces the first`() {
    let line = PulledLine()
    let queue = DispatchQueue(label: "feeding")
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    line.renderer.requestMediaDataWhenReady(on: queue) { first.signal() }
    first.wait()
    line.renderer.requestMediaDataWhenReady(on: queue) { second.signal() }
    second.wait()
    line.renderer.enqueue(self.second(0))
    line.synchronizer.rate = 1
    second.wait()
    queue.sync {}
    #expect(first.wait(timeout: .now()) == .timedOut)
    line.renderer.stopRequestingMediaData()
  }

  @Test func `enqueuing waits while full and goes on when there is room`() async throws {
    let line = PulledLine()
    let full = line.secondsToFill
    for i in 0..<full { try await line.renderer.enqueueWhenReady(second(i)) }
    #expect(!line.renderer.isReadyForMoreMediaData)
    let task = Task { [renderer = line.renderer] in
      for i in full..<(full + 3) { try await renderer.enqueueWhenReady(second(i)) }
      renderer.finishEnqueuing()
    }
    line.synchronizer.rate = 1
    // Waits for the task, which needs one of the few threads that tasks have: not on one of those.
    let count = await withCheckedContinuation { continuation in
      Thread { [renderer = line.renderer] in
        var count = 0
        renderer.renderToEnd { count += $0.count }
        continuation.resume(returning: count)
      }.start()
    }
    try await task.value
    #expect(count == (full + 3) * 48_000)
  }

  @Test func `cancelling whoever waits to enqueue throws, and enqueues nothing`() async throws {
    let line = PulledLine()
    let full = line.secondsToFill
    for i in 0..<full { line.renderer.enqueue(second(i)) }
    let task = Task { [renderer = line.renderer] in
      try await renderer.enqueueWhenReady(second(full))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(line.renderer.output.withLock { line.renderer.producers.enqueuedBuffers } == full)
    #expect(line.renderer.output.withLock { line.renderer.producers.waiters.cancelled.isEmpty })
  }

  @Test func `all who wait are served when there is room for all`() async throws {
    let line = PulledLine()
    let full = line.secondsToFill
    for i in 0..<full { line.renderer.enqueue(second(i)) }
    let tasks = (0..<4).map { _ in
      Task { [renderer = line.renderer] in
        try await renderer.enqueueWhenReady(buffer([1], atFrame: 0))
      }
    }
    let waiting = { line.renderer.producers.waiters.waiting.count }
    while line.renderer.output.withLock({ waiting() }) < 4 { await Task.yield() }
    line.renderer.flush()
    for task in tasks { try await task.value }
    #expect(line.renderer.output.withLock { line.renderer.producers.enqueuedBuffers } == full + 4)
  }

  @Test func `no block is called without its renderer`() {
    let calls = Atomic<Int>(0)
    for _ in 0..<2_000 {
      let queue = DispatchQueue(label: "asked")
      let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .mono))
      // What holds it `unowned` would trap.
      renderer.requestMediaDataWhenReady(on: queue) { [weak renderer] in
        if renderer == nil { calls.add(1, ordering: .relaxed) }
      }
    }
    #expect(calls.load(ordering: .relaxed) == 0)
  }
}
