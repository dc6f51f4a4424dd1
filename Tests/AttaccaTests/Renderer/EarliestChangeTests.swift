// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Testing

/// How soon an edit can be heard.
@Suite struct EarliestChangeTests {
  @Test func `a change is heard once the device has played what it does not give back`() {
    let (output, renderer, synchronizer) = steppedLine(reach: 960, fade: .standard)
    renderer.enqueue(buffer([Float](repeating: 1, count: 96_000), atFrame: 0))
    #expect(renderer.earliestChange == .zero)
    synchronizer.rate = 1
    output.step(to: 5_000)
    #expect(renderer.earliestChange == MediaTime(value: 20, timescale: 1_000))
    renderer.volume = 0.5
    let change = output.withLock { renderer.line.gains.volume.run(at: 5_000, atMost: 10_000) }
    #expect(change.frames == 960)
  }

  @Test func `what is pulled changes with the next frame`() {
    let playback = OfflinePlayback(format: StepSource.format)
    playback.player.playlist.append(
      PlaylistItem(GeneratorSource.silence(frameCount: 48_000, format: StepSource.format)))
    playback.player.play()
    _ = playback.pull(1_000)
    #expect(playback.player.earliestChange == .zero)
  }
}
