// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Testing

/// Frames that are to be heard again, on another device or because the server did without them.
@Suite struct FramesAgainTests {
  @Test func `what a jump took the place of is not heard again before the jump`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 480)
    renderer.enqueue(buffer((0..<144_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 10_000)
    output.withLock {
      // The first start is no jump.
      #expect(renderer.firstFrameOfDevice(heard: 200, clock: 1_000) == 200)
    }
    synchronizer.setRate(1, time: MediaTime(value: 2, timescale: 1))
    output.step(to: 12_000)
    output.withLock {
      #expect(renderer.line.map.lastJump == 10_480)
      #expect(renderer.firstFrameOfDevice(heard: 9_000, clock: 11_000) == 10_480)
      #expect(renderer.firstFrameOfDevice(heard: 10_700, clock: 11_000) == 10_700)
      // It has told where it stopped, less what it may have said wrongly: 2,751 frames behind a removal what was
      // removed was heard again for as long.
      #expect(renderer.firstFrameOfDevice(heard: 10_400, clock: 10_000) == 10_480)
      #expect(renderer.firstFrameOfDevice(heard: 10_700, clock: 10_600) == 10_700)
      #expect(renderer.firstFrameAgain(from: 9_000) == 10_480)
      #expect(renderer.firstFrameAgain(from: 11_000) == 11_000)
    }
  }

  @Test func `only one device has what comes before a start, and what is heard of a pause`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 480, fade: .standard)
    renderer.enqueue(buffer((0..<144_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 10_000)
    #expect(output.withLock { renderer.firstFrameToHandOver } <= 10_000)
    synchronizer.rate = 0
    #expect(output.withLock { renderer.firstFrameToHandOver } == 10_720)
    synchronizer.rate = 1
    #expect(output.withLock { renderer.firstFrameToHandOver } == 10_720)
  }
}
