// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import Testing

/// What voices are told of rewrites that reached the device late.
@Suite struct BusLateSpliceTests {
  private let stepped = SteppedBus(reach: 240)

  /// Whether the device had read the frames for certain, or may have: 92 frames of a start were missing, and its
  /// voice was told that it had been in time, as the device knew of no frame that it had read too early.
  @Test(arguments: [0, 92])
  func `the voice whose rewrite was late is told, and the one beside it is not`(known: Int64) {
    let first = stepped.start()
    stepped.output.step(to: 5_000)
    let second = stepped.start()
    withExtendedLifetime((first, second)) {
      let begin = second.renderer.publishedMap.read().last.stream
      #expect(begin == 5_240)
      let isHidden = stepped.bus.withLock {
        stepped.bus.outputSpliceWasLate(
          for: begin..<begin + 92, read: begin + known, isDelayable: false)
      }
      #expect(!isHidden)
      #expect(second.renderer.lateSpliceCount == 1)
      #expect(first.renderer.lateSpliceCount == 0)
    }
  }

  @Test func `what a voice has rewritten behind the missed frames was in time`() {
    let first = stepped.start()
    stepped.output.step(to: 5_000)
    let second = stepped.start()
    withExtendedLifetime((first, second)) {
      let begin = second.renderer.publishedMap.read().last.stream
      let isHidden = stepped.bus.withLock {
        stepped.bus.outputSpliceWasLate(for: begin - 92..<begin, read: begin, isDelayable: false)
      }
      #expect(isHidden)
      #expect(second.renderer.lateSpliceCount == 0)
    }
  }
}
