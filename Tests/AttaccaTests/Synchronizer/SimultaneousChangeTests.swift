// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
@testable import PulseDevice
@testable import Rendering
import Synchronization
import TestSeeds
import Testing

/// Calls to a synchronizer that meet.
@Suite struct SimultaneousChangeTests {
  private let output = SteppedOutput(reach: 0)
  private let synchronizer = RenderSynchronizer()

  private func makeRenderer() -> AudioRenderer {
    let renderer = AudioRenderer(output: output, quality: .veryHigh)
    synchronizer.addRenderer(renderer)
    renderer.enqueue(buffer([Float](repeating: 0.5, count: 48_000), at: .zero))
    return renderer
  }

  private func isRunning(_ renderer: AudioRenderer) -> Bool {
    renderer.output.withLock { renderer.line.transport != .idle(media: renderer.line.idleMedia) }
  }

  @Test func `a removal that another one overtakes is completed`() {
    let renderer = makeRenderer()
    let ended = DispatchSemaphore(value: 0)
    // Right after it has been seen to be here, another thread lets it go.
    output.asked = { [output, synchronizer] in
      output.asked = nil
      DispatchQueue.global().async { synchronizer.removeRenderer(renderer) }
      wait { synchronizer.renderers.isEmpty }
    }
    synchronizer.removeRenderer(renderer, at: MediaTime(value: 1, timescale: 2)) { wasHere in
      #expect(wasHere)
      ended.signal()
    }
    #expect(ended.wait(timeout: .now() + 10) == .success)
  }

  @Test func `removals at times that have just come are completed, each once`() {
    var random = SplitMix64()
    print("removals, seed \(random.seed)")
    for _ in 0..<300 {
      let synchronizer = RenderSynchronizer()
      let renderer = NullRenderer()
      synchronizer.addRenderer(renderer)
      renderer.enqueue(buffer([Float](repeating: 0.5, count: 48_000), at: .zero))
      synchronizer.rate = 1
      let ends = (0..<3).map { _ in Int64.random(in: 0...200, using: &random) }
      let completed = DispatchSemaphore(value: 0)
      onThreads(ends.count) { i in
        let time = synchronizer.currentTime() + MediaTime(value: ends[i], timescale: 1_000_000)
        synchronizer.removeRenderer(renderer, at: time) { _ in completed.signal() }
      }
      for _ in ends {
        guard completed.wait(timeout: .now() + 10) == .success else {
          Issue.record("a completion was not called, seed \(random.seed)")
          return
        }
      }
      #expect(completed.wait(timeout: .now()) == .timedOut, "seed \(random.seed)")
    }
  }

  @Test func `of two rates the one that is told is the one that is carried out`() {
    let renderer = makeRenderer()
    let ended = DispatchSemaphore(value: 0)
    // Between taking note of the first and carrying it out, another thread sets the second; it may
    // have to wait for the first.
    output.entered = { [output, synchronizer] in
      output.entered = nil
      DispatchQueue.global().async {
        synchronizer.rate = 0
        ended.signal()
      }
      if ended.wait(timeout: .now() + 0.2) == .success { ended.signal() }
    }
    synchronizer.rate = 1
    ended.wait()
    #expect(isRunning(renderer) == (synchronizer.rate != 0))
  }

  @Test func `a renderer that is added while the rate changes follows it`() {
    let ended = DispatchSemaphore(value: 0)
    synchronizer.rate = 1
    let renderer = AudioRenderer(output: output, quality: .veryHigh)
    renderer.enqueue(buffer([Float](repeating: 0.5, count: 48_000), at: .zero))
    let count = Atomic<Int>(0)
    output.entered = { [output, synchronizer] in
      // Once its rate has been set, before it is started.
      guard count.add(1, ordering: .relaxed).newValue == 3 else { return }
      output.entered = nil
      DispatchQueue.global().async {
        synchronizer.rate = 0
        ended.signal()
      }
      if ended.wait(timeout: .now() + 0.2) == .success { ended.signal() }
    }
    synchronizer.addRenderer(renderer)
    ended.wait()
    #expect(synchronizer.rate == 0)
    #expect(!isRunning(renderer))
  }

  @Test func `rates that four threads set end with time as the last one says`() {
    var random = SplitMix64()
    print("rates of four threads, seed \(random.seed)")
    let renderer = makeRenderer()
    for _ in 0..<500 {
      let rates = (0..<4).map { _ in Double(Int.random(in: 0...3, using: &random) / 2) }
      onThreads(4) { [synchronizer] in synchronizer.rate = rates[$0] }
      guard isRunning(renderer) == (synchronizer.rate != 0) else {
        Issue.record("at a rate of \(synchronizer.rate), seed \(random.seed)")
        return
      }
    }
  }
}
