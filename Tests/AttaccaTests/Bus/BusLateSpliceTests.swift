// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import Testing

/// What voices are told of rewrites that reached the device late.
@Suite struct BusLateSpliceTests {
  private let output = SteppedOutput(reach: 240)
  private let bus: AudioBus

  init() { bus = AudioBus(device: output) }

  /// A voice that plays 10 s from now on.
  private func start() -> (renderer: AudioRenderer, synchronizer: RenderSynchronizer) {
    let (renderer, synchronizer) = (bus.makeRenderer(), RenderSynchronizer())
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    let samples = [Float](repeating: 0.5, count: 480_000)
    renderer.enqueue(SampleBuffer(samples: samples, format: output.format, at: .zero))
    renderer.finishEnqueuing()
    synchronizer.rate = 1
    return (renderer, synchronizer)
  }

  /// Whether the device had read the frames for certain, or may have: 92 frames of a start were missing, and its
  /// voice was told that it had been in time, as the device knew of no frame that it had read too early.
  @Test(arguments: [0, 92])
  func `the voice whose rewrite was late is told, and the one beside it is not`(known: Int64) {
    let first = start()
    output.step(to: 5_000)
    let second = start()
    withExtendedLifetime((first, second)) {
      let begin = second.renderer.publishedMap.read().last.stream
      #expect(begin == 5_240)
      let isHidden = bus.withLock {
        bus.outputSpliceWasLate(
          for: begin..<begin + 92, read: begin + known, isDelayable: false)
      }
      #expect(!isHidden)
      #expect(second.renderer.lateSpliceCount == 1)
      #expect(first.renderer.lateSpliceCount == 0)
    }
  }

  @Test func `what a voice has rewritten behind the missed frames was in time`() {
    let first = start()
    output.step(to: 5_000)
    let second = start()
    withExtendedLifetime((first, second)) {
      let begin = second.renderer.publishedMap.read().last.stream
      let isHidden = bus.withLock {
        bus.outputSpliceWasLate(for: begin - 92..<begin, read: begin, isDelayable: false)
      }
      #expect(isHidden)
      #expect(second.renderer.lateSpliceCount == 0)
    }
  }
}
