// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Testing

/// A rate below 0, asked of a synchronizer whose player is gone or not there yet.
@Suite struct BackwardsTests {
  @Test func `a player may come to a synchronizer that goes backwards`() async {
    await #expect(processExitsWith: .success) {
      let synchronizer = RenderSynchronizer()
      let first = NullRenderer()
      _ = SampleBufferSerializer(renderer: first, synchronizer: synchronizer)
      synchronizer.removeRenderer(first)
      synchronizer.rate = -1
      let renderer = NullRenderer()
      let serializer = SampleBufferSerializer(renderer: renderer, synchronizer: synchronizer)
      precondition(synchronizer.renderers.count == 1 && synchronizer.rate == -1)
      // Nothing is there to be made anew the other way round, and nobody tries to for ever.
      for _ in 0..<100 { renderer.conversions.queue.sync {} }
      precondition(renderer.output.withLock { !renderer.intake.unheardBuffers.isConverting })
      withExtendedLifetime(serializer) {}
    }
  }

  @Test func `what no player enqueues does not go backwards, though one was there before`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let synchronizer = RenderSynchronizer()
      let first = NullRenderer()
      _ = SampleBufferSerializer(renderer: first, synchronizer: synchronizer)
      synchronizer.removeRenderer(first)
      synchronizer.addRenderer(NullRenderer())
      synchronizer.rate = -1
    }
    #expect(end.says("a rate of -1.0 where no player enqueues"))
  }
}
