// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import TestFixtures
import Testing

/// What is heard of effects behind the last item, while media time holds at its end.
@Suite struct EffectTailTests {
  private static let format = AudioFormat(sampleRate: 48_000, layout: .mono)
  private static let echo = EchoEffect(tail: 20_000)

  private final class Told: @unchecked Sendable {
    // @unchecked: `audio` is touched only on `queue`.
    let queue = DispatchQueue(label: "told")
    var audio: [TappedAudio] = []
  }

  private func item(_ name: String, _ value: Float, _ frameCount: Int64 = 48_000) -> PlaylistItem {
    PlaylistItem(
      GeneratorSource(name: name, format: Self.format, frameCount: frameCount) { samples, _ in
        for i in samples.indices { samples[i] = value }
      })
  }

  private func playback(_ items: [PlaylistItem]) -> OfflinePlayback {
    let playback = OfflinePlayback(format: Self.format, fade: .none)
    playback.player.playlist.append(contentsOf: items)
    playback.renderer.effects = [Self.echo]
    return playback
  }

  private func constant(_ value: Float, _ count: Int) -> [Float] {
    [Float](repeating: value, count: count)
  }

  @Test(arguments: [[], [DelayEffect(latency: 128)]])
  func `an echo is heard to its end behind the last item, and time holds meanwhile`(
    _ more: [DelayEffect]
  ) {
    let playback = playback([item("a", 0.5), item("b", 0.25)])
    playback.renderer.effects = [Self.echo] + more
    playback.player.play()
    playback.settle()
    var heard = playback.pull(96_000 + 10_000)
    // 96,000 frames are the list.
    #expect(playback.player.synchronizer.currentTime().seconds < 2.0001)
    #expect(playback.player.currentItem != nil)
    heard += playback.pullToEnd()
    let expected =
      constant(0.5, 20_000) + constant(0.75, 28_000) + constant(0.5, 20_000)
      + constant(0.375, 28_000) + constant(0.125, 20_000)
    #expect(firstDifference(heard, expected) == nil)
    wait { playback.player.currentItem == nil }
    #expect(
      playback.player.synchronizer.currentTime() == MediaTime(value: 96_000, timescale: 48_000))
  }

  @Test func `an item that is added before the end takes the echo along`() {
    let playback = playback([item("a", 0.5)])
    playback.player.play()
    playback.settle()
    var heard = playback.pull(10_000)
    wait { playback.renderer.output.withLock { playback.renderer.line.isFinished } }
    playback.player.playlist.append(item("b", 0.25))
    playback.settle()
    heard += playback.pullToEnd()
    let expected =
      constant(0.5, 20_000) + constant(0.75, 28_000) + constant(0.5, 20_000)
      + constant(0.375, 28_000) + constant(0.125, 20_000)
    #expect(heard.count == expected.count)
    #expect(zip(heard, expected).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test func `an item that is added while the echo is heard begins at once, at the end's time`() {
    let playback = playback([item("a", 0.5)])
    playback.player.play()
    playback.settle()
    var heard = playback.pull(58_000)
    wait { playback.renderer.output.withLock { playback.renderer.line.tail } == 20_000 }
    playback.player.playlist.append(item("b", 0.25))
    playback.settle()
    heard += playback.pullToEnd()
    // No frame of it is lost, and of the echo 10,000 were heard, and a crossfade.
    #expect(heard.count == 58_000 + 48_000 + 20_000)
    #expect(
      Array(heard[..<58_000]) == constant(0.5, 20_000) + constant(0.75, 28_000)
        + constant(0.25, 10_000))
    wait { playback.player.currentItem == nil }
    #expect(
      playback.player.synchronizer.currentTime() == MediaTime(value: 96_000, timescale: 48_000))
  }

  @Test func `a seek out of the echo plays on`() {
    let playback = playback([item("a", 0.5)])
    playback.player.play()
    playback.settle()
    _ = playback.pull(58_000)
    playback.splicing { playback.player.seek(to: MediaTime(value: 40_000, timescale: 48_000)) }
    let heard = playback.pullToEnd()
    #expect(heard.count == 8_000 + 20_000)
    #expect(Array(heard[..<8_000]) == constant(0.5, 8_000))
  }

  @Test func `a pause in the echo holds at the end, and what is told is told once`() {
    let playback = playback([item("a", 0.5)])
    let events = playback.player.events
    _ = events
    playback.player.play()
    playback.settle()
    _ = playback.pull(58_000)
    playback.player.pause()
    playback.settle()
    #expect(
      playback.player.synchronizer.currentTime() == MediaTime(value: 48_000, timescale: 48_000))
    playback.player.play()
    playback.settle()
    _ = playback.pullToEnd()
    wait { playback.player.currentItem == nil }
  }

  @Test func `what is enqueued behind an end that was said takes the place of the echo`() {
    let line = PulledLine()
    line.renderer.effects = [Self.echo]
    line.renderer.enqueue(buffer(constant(0.5, 48_000), atFrame: 0))
    line.renderer.finishEnqueuing()
    line.synchronizer.rate = 1
    var heard = line.pull(20_000)
    line.renderer.enqueue(buffer(constant(0.25, 48_000), atFrame: 48_000))
    line.renderer.finishEnqueuing()
    heard += line.pull(480_000)
    #expect(heard.count == 96_000 + 20_000)
    #expect(Array(heard[48_000..<68_000]) == constant(0.25, 20_000))
    #expect(line.synchronizer.currentTime() == MediaTime(value: 96_000, timescale: 48_000))
  }

  @Test func `a tap tells the echo at the end's time`() {
    let line = PulledLine()
    line.renderer.effects = [Self.echo]
    let told = Told()
    let observation = line.renderer.tap().observe(on: told.queue) { told.audio.append($0) }
    line.renderer.enqueue(buffer(constant(0.5, 48_000), atFrame: 0))
    line.renderer.finishEnqueuing()
    line.synchronizer.rate = 1
    _ = line.pull(480_000)
    let audio = told.queue.sync { told.audio }
    withExtendedLifetime(observation) {}
    #expect(audio.reduce(0) { $0 + $1.buffer.frameCount } == 68_000)
    for piece in audio where piece.buffer.time >= RationalTime(frames: 1, rate: 1) {
      #expect(piece.rate == 0 && piece.buffer.time == RationalTime(frames: 1, rate: 1))
    }
  }
}
