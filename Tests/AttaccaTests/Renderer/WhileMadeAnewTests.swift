// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import MediaTime
@testable import Rendering
import SampleBuffers
import Synchronization
import Testing

/// What is enqueued, and announced as the end, while what was enqueued before is made anew for another rate.
@Suite struct WhileMadeAnewTests {
  /// A block on a queue that waits to be let go.
  private final class Gate: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let isOpen = DispatchSemaphore(value: 0)

    init(on queue: DispatchQueue) {
      queue.async { [reached, isOpen] in
        reached.signal()
        isOpen.wait()
      }
    }

    func reach() { reached.wait() }
    func open() { isOpen.signal() }
  }

  private let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .mono))
  private let synchronizer = RenderSynchronizer()
  private var queue: DispatchQueue { renderer.conversions.queue }

  init() {
    renderer.audioTimePitchAlgorithm = .varispeed
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
  }

  private func pull(_ frames: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: frames) { samples, count in
      count = renderer.render(frames: frames, into: samples.baseAddress!)  // `frames` is 1 or more
    }
  }

  private func settle() {
    wait {
      renderer.output.withLock {
        !renderer.isPaceStale && !renderer.intake.unheardBuffers.isConverting
      }
    }
    // What follows by itself, too.
    for _ in 0..<3 { queue.sync {} }
  }

  /// Enqueues a second of ones for second `second` and what follows.
  private func enqueue(second: Int64 = 0, into other: AudioRenderer? = nil) {
    let renderer = other ?? self.renderer
    let storage = FrameStorage(capacity: 48_000)
    for i in 0..<48_000 { storage.samples[i] = 1 }
    renderer.enqueue(
      SampleBuffer(
        storage: storage, format: renderer.format, frameCount: 48_000,
        time: RationalTime(frames: second, rate: 1)))
  }

  /// Plays half of a second at a rate of 2, then has the rest made anew for the natural rate, which holds no frame
  /// back, and its end announced meanwhile.
  ///
  /// - Returns: what keeps the end from being carried out.
  private func playToAnnouncedEnd() -> Gate {
    synchronizer.rate = 2
    enqueue()
    #expect(pull(12_000).count == 12_000)
    let atRate = Gate(on: queue)
    synchronizer.rate = 1
    renderer.finishEnqueuing()
    return goOn(from: atRate)
  }

  /// Has content made anew that waits for `gate`, and looked at what follows from that.
  ///
  /// - Returns: what keeps that from being carried out.
  private func goOn(from gate: Gate) -> Gate {
    let behindContent = Gate(on: queue)
    gate.open()
    behindContent.reach()
    let behindLook = Gate(on: queue)
    behindContent.open()
    behindLook.reach()
    return behindLook
  }

  @Test func `what is to be heard again does not end by the end that was announced before`() {
    let beforeEnd = playToAnnouncedEnd()
    #expect(pull(48_000).count == 24_000)
    synchronizer.rate = 0
    synchronizer.setRate(4, time: MediaTime(value: 1, timescale: 2))
    beforeEnd.open()
    settle()
    #expect(pull(48_000).count == 6_000)
  }

  @Test func `what is enqueued behind an announced end takes that back`() {
    let beforeEnd = playToAnnouncedEnd()
    enqueue(second: 1)
    beforeEnd.open()
    settle()
    #expect(!renderer.output.withLock { renderer.line.isFinished })
    let heard = pull(96_000)
    #expect(heard.count == 72_000)
    #expect(heard.allSatisfy { abs($0 - 1) < 1e-5 })
  }

  @Test func `what waits is not made for the rate before where nothing else is left to be heard`() {
    synchronizer.rate = 1
    for second in 0..<3 { enqueue(second: Int64(second)) }
    #expect(pull(24_000).count == 24_000)
    let atRate = Gate(on: queue)
    synchronizer.rate = 0.5
    for second in 3..<8 { enqueue(second: Int64(second)) }
    renderer.finishEnqueuing()
    #expect(pull(144_000).count == 120_000)
    let behindWaiting = goOn(from: atRate)
    #expect(pull(1_000).isEmpty)
    behindWaiting.open()
    var count = 0
    renderer.renderToEnd { count += $0.count }
    #expect(count == 480_000)
  }

  @Test func `an end is announced though the empty line takes up another rate meanwhile`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 480)
    renderer.audioTimePitchAlgorithm = .varispeed
    let entries = Atomic<Int>(0)
    output.entered = {
      // Once it is known which conversion is to give what it holds back.
      if entries.add(1, ordering: .relaxed).newValue == 2 { synchronizer.rate = 2 }
    }
    renderer.finishEnqueuing()
    output.entered = nil
    #expect(entries.load(ordering: .relaxed) > 2)
    #expect(output.withLock { renderer.line.isFinished })
  }

  @Test func `what a cut has left is being made anew until it is there`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 480)
    renderer.audioTimePitchAlgorithm = .varispeed
    synchronizer.rate = 1
    enqueue(second: 0, into: renderer)
    let atRate = Gate(on: renderer.conversions.queue)
    synchronizer.rate = 2
    synchronizer.rate = 1
    enqueue(second: 1, into: renderer)
    renderer.flush(fromSourceTime: MediaTime(value: 3, timescale: 2)) { _ in }
    #expect(output.withLock { renderer.line.content.refusedFrom != nil })
    let isLooking = Atomic<Bool>(false)
    let missed = Atomic<Int>(0)
    output.entered = {
      // Not before what is looked at by this.
      guard !isLooking.exchange(true, ordering: .relaxed) else { return }
      output.withLock {
        if renderer.line.content.refusedFrom != nil, !renderer.intake.unheardBuffers.isConverting {
          missed.add(1, ordering: .relaxed)
        }
      }
      isLooking.store(false, ordering: .relaxed)
    }
    atRate.open()
    wait {
      output.withLock {
        renderer.line.content.refusedFrom == nil && !renderer.intake.unheardBuffers.isConverting
      }
    }
    output.entered = nil
    #expect(missed.load(ordering: .relaxed) == 0)
  }
}
