// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Testing

/// Where it goes on behind an underrun.
@Suite struct UnderrunTests {
  /// A server that had stood still answers from where it stood, and is expected beyond what it has before it
  /// can be given more: what went on where it was took the place of frames that it had still to read.
  @Test func `what follows an underrun begins behind all that the output was given`() {
    let output = SteppedOutput(reach: 480)
    let renderer = AudioRenderer(output: output, quality: .veryHigh)
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    renderer.enqueue(buffer((0..<144_000).map(Float.init), atFrame: 0))
    synchronizer.rate = 1
    output.step(to: 10_000)
    let (written, media) = output.withLock {
      (renderer.line.written, renderer.line.map.media(at: renderer.line.written))
    }
    #expect(written > 40_000)
    output.runDry(expectedAt: written + 5_000)
    #expect(renderer.underrunCount == 1)
    let last = output.withLock { renderer.line.map.last }
    #expect(last.isRunning)
    #expect(last.stream == written)
    #expect(last.media == media)
  }
}
