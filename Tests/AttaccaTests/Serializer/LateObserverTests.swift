// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Testing

/// What is remembered of a list while nobody has been told yet of what has been heard of it.
@Suite struct LateObserverTests {
  @Test func `what has been heard is forgotten, however late its observer is`() {
    let playback = ReversedPlayback((1...8).flatMap { _ in (1...100).map { "ramp \($0) 2000" } })
    let player = playback.player
    let (serializer, observers) = (player.serializer, player.synchronizer.observers.queue)
    player.play()
    _ = playback.pull(2_000)
    observers.suspend()
    // Each item is a second: ten minutes.
    for _ in 0..<600 { _ = playback.pull(2_000) }
    let (spans, begun) = serializer.queue.sync {
      (serializer.state.timeline.spans.count, serializer.state.playing?.begun.count ?? 0)
    }
    observers.resume()
    // Two seconds ahead are converted, one is decoded.
    #expect(spans <= 6)
    #expect(begun <= 6)
    #expect(playback.pullToEnd().count == 199 * 2_000)
    wait { player.currentItem == nil }
  }
}
