// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

/// Other parameters while something plays, and the state of effects over joints and edits.
@Suite struct EffectChangeTests {
  private static let format = AudioFormat(sampleRate: 48_000, layout: .mono)

  private func source(
    _ name: String, _ frameCount: Int64 = 480_000, _ sound: @escaping @Sendable (Int64) -> Float
  ) -> GeneratorSource {
    GeneratorSource(name: name, format: Self.format, frameCount: frameCount) { samples, frame in
      for i in samples.indices { samples[i] = sound(frame + Int64(i)) }
    }
  }

  private func playback(_ items: [PlaylistItem]) -> OfflinePlayback {
    let playback = OfflinePlayback(format: Self.format)
    playback.player.playlist.append(contentsOf: items)
    return playback
  }

  /// Sets effects, and waits until they are heard next.
  private func change(_ effects: [any AudioEffect], of playback: OfflinePlayback) {
    playback.renderer.effects = effects
    playback.settle()
  }

  @Test func `another gain takes over at the next frame, within 5 ms and without a step`() {
    let playback = playback([PlaylistItem(source("tone") { _ in 0.5 })])
    playback.player.play()
    playback.settle()
    #expect(playback.pull(10_000) == [Float](repeating: 0.5, count: 10_000))
    var level: Float = 0.5
    for gain in [-6, 0, -20, 4] as [Float] {
      change([GainEffect(gain)], of: playback)
      let next = 0.5 * Float(pow(10, Double(gain) / 20))
      let heard = playback.pull(1_000)
      #expect(heard[240...].allSatisfy { $0 == next })
      let steps = zip([level] + heard, heard).map { abs($0 - $1) }
      #expect(steps.max()! < abs(next - level) / 100)
      level = next
    }
    change([], of: playback)
    #expect(playback.pull(1_000)[240...].allSatisfy { $0 == 0.5 })
    // 14,240 frames of media time, whatever was changed.
    #expect(
      playback.player.synchronizer.currentTime() == MediaTime(value: 15_000, timescale: 48_000))
  }

  @Test func `set before the first frame, and while paused, they are heard from the next frame on`()
  {
    let playback = playback([PlaylistItem(source("tone") { _ in 0.5 })])
    playback.renderer.effects = [GainEffect(-6)]
    playback.player.play()
    playback.settle()
    let low = 0.5 * Float(pow(10, -6.0 / 20))
    #expect(playback.pull(5_000).allSatisfy { $0 == low })
    playback.player.pause()
    playback.settle()
    change([GainEffect(-12)], of: playback)
    playback.player.play()
    playback.settle()
    let lower = 0.5 * Float(pow(10, -12.0 / 20))
    #expect(playback.pull(5_000)[480...].allSatisfy { $0 == lower })
  }

  @Test func `an equalizer's state goes on over the joints of a list`() {
    let sound: @Sendable (Int64) -> Float = { sinf(Float($0 % 48_000) * 0.01) / 2 }
    let effects = [
      EqualizerEffect([
        .init(.highPass, frequency: 100), .init(.peaking, frequency: 2_000, gain: 9),
      ])
    ]
    let whole = playback([PlaylistItem(source("whole", 144_000, sound))])
    let cut = playback(
      [0, 1, 2].map { part in
        PlaylistItem(source("\(part)", 48_000) { sound($0 + 48_000 * part) })
      })
    let heard = [whole, cut].map { playback in
      playback.renderer.effects = effects
      return playback.playToEnd()
    }
    #expect(heard[0].count > 144_000)
    #expect(firstDifference(heard[0], heard[1]) == nil)
  }

  // An edit behind the present item makes the last of that anew, by an equalizer that begins before.
  @Test func `an edit behind a joint leaves the sound before it and the state at it`() throws {
    let sound: @Sendable (Int64) -> Float = { sinf(Float($0 % 48_000) * 0.01) / 2 }
    let items = (0..<3).map { part in
      PlaylistItem(source("\(part)", 48_000) { sound($0 + 48_000 * Int64(part)) })
    }
    let effects = [EqualizerEffect([.init(.highPass, frequency: 100)])]
    let straight = playback(items)
    straight.renderer.effects = effects
    let expected = straight.playToEnd()
    let edited = playback([items[0], items[2]])
    edited.renderer.effects = effects
    edited.player.play()
    edited.settle()
    var heard = edited.pull(10_000)
    edited.waitForContent(upTo: 80_000)
    edited.player.playlist.insert(items[1], at: 1)
    edited.settle()
    heard += edited.pullToEnd()
    #expect(heard.count == expected.count)
    // The filter began 100 dB before; a crossfade of two that are the same rounds.
    for (i, (a, b)) in zip(heard, expected).enumerated() where abs(a - b) > 1e-5 {
      Issue.record("frame \(i) is \(a), not \(b)")
      break
    }
  }

  @Test func `two hundred changes while it plays lose no frame and make no step`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let playback = playback([
      PlaylistItem(source("tone", 4_800_000) { sinf(Float($0 % 4_800) * .pi / 240) / 4 })
    ])
    playback.player.play()
    playback.settle()
    var heard = playback.pull(1_000)
    for _ in 0..<200 {
      // As a device has it: where all that there is has been pulled, nothing is left to lead over from.
      playback.waitForContent(upTo: Int64(heard.count + 6_000))
      let band = EqualizerEffect.Band(
        .peaking, frequency: 200, gain: Double.random(in: -6...6, using: &random))
      playback.renderer.effects = [EqualizerEffect([band]), DelayEffect(latency: 128)]
      if Bool.random(using: &random) { playback.settle() }
      heard += playback.pull(Int.random(in: 1..<4_000, using: &random))
    }
    playback.settle()
    #expect(
      playback.player.synchronizer.currentTime().seconds == Double(heard.count) / 48_000,
      "seed \(seed)")
    let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
    // 200 Hz at up to 0.5 climbs by 0.013 a frame.
    #expect(steps.max()! < 0.02, "seed \(seed)")
  }

  @Test(arguments: [false, true])
  func `where no player enqueues they change too`(_ isStretched: Bool) {
    let line = PulledLine()
    if isStretched { line.synchronizer.setRate(1, time: .zero) }
    for second in 0..<4 {
      line.renderer.enqueue(
        buffer([Float](repeating: 0.5, count: 48_000), atFrame: 48_000 * Int64(second)))
    }
    line.synchronizer.rate = 1
    #expect(line.pull(10_000).allSatisfy { $0 == 0.5 })
    line.renderer.effects = [GainEffect(-6), DelayEffect(latency: 128)]
    wait { !line.renderer.isStale }
    let low = 0.5 * Float(pow(10, -6.0 / 20))
    #expect(line.pull(10_000)[240...].allSatisfy { $0 == low })
    line.renderer.finishEnqueuing()
    wait { line.renderer.output.withLock { line.renderer.line.isFinished } }
    #expect(line.pull(480_000).count == 4 * 48_000 - 20_000)
  }
}
