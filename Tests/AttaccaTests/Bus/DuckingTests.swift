// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestSeeds
import Testing

/// Voices that are softer while another is heard, against the formula.
@Suite struct DuckingTests {
  private static let (attack, release) = (4_800, 14_400)

  private let playback = BusPlayback()
  private let level = pow(10, -12.0 / 20)

  private func duck(_ renderers: [AudioRenderer], while voice: AudioRenderer) {
    playback.bus.duck(
      renderers, by: -12, attack: MediaTime(value: 1, timescale: 10),
      release: MediaTime(value: 3, timescale: 10), while: voice)
  }

  /// The gain of `count` frames of which another voice is heard with those of `sound`, each of them longer than
  /// the attack, and further apart than the release.
  private func gains(_ count: Int, _ sound: Range<Int>...) -> [Double] {
    (0..<count).map { frame in
      guard let last = sound.last(where: { $0.lowerBound <= frame }) else { return 1 }
      let down = Double(min(frame - last.lowerBound, Self.attack)) / Double(Self.attack)
      let back = Double(max(0, min(frame - last.upperBound, Self.release))) / Double(Self.release)
      return 1 + (level - 1) * down * (1 - back)
    }
  }

  private func noise(_ seed: UInt64, frames: Int) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<2 * frames).map { _ in Float.random(in: -0.5...0.5, using: &random) }
  }

  /// Farthest that a sample of `heard` is from `expected`.
  private func error(_ heard: [Float], _ expected: (Int) -> Double) -> Double {
    heard.indices.map { abs(Double(heard[$0]) - expected($0)) }.max() ?? .infinity
  }

  @Test func `an announcement over music is the formula, and music's timeline is unbroken`() {
    let seed = UInt64.random(in: 0...(.max))
    let (music, words) = (noise(seed, frames: 200_000), noise(seed &+ 1, frames: 60_000))
    let player = playback.start(music)
    var heard = playback.pull(10_000)
    let voice = playback.bus.makeRenderer()
    duck([player.0], while: voice)
    heard += playback.pull(5_000)
    let synchronizer = RenderSynchronizer()
    synchronizer.addRenderer(voice)
    voice.enqueue(SampleBuffer(samples: words, format: BusPlayback.format, at: .zero))
    voice.finishEnqueuing()
    synchronizer.rate = 1
    heard += playback.pullToEnd()
    #expect(heard.count == music.count)
    let gains = gains(200_000, 15_000..<75_000)
    let error = error(heard) { i in
      let word = 30_000..<150_000 ~= i ? Double(words[i - 30_000]) : 0
      return Double(music[i]) * gains[i / 2] + word
    }
    #expect(error <= 1e-6, "seed \(seed)")
    #expect(player.1.currentTime() == MediaTime(value: 200_000, timescale: 48_000))
    #expect(player.0.underrunCount == 0)
  }

  @Test func `each time that it sounds is one, seeks and edits in its midst are none`() {
    let player = playback.start([Float](repeating: 0.5, count: 1_000_000))
    let voice = playback.makePlayer([GeneratorSource.silence(frameCount: 500_000)])
    duck([player.0], while: voice.renderer)
    func settle(_ body: () -> Void) {
      body()
      wait { voice.serializer.isSettled }
    }
    playback.play(voice)
    var heard = playback.pull(10_000)
    for i in 1...5 {
      let before = voice.renderer.publishedMap.read().last.traversal
      settle { voice.seek(to: MediaTime(value: Int64(i), timescale: 1)) }
      wait { voice.renderer.publishedMap.read().last.traversal != before }
      heard += playback.pull(2_000)
    }
    settle { voice.pause() }
    heard += playback.pull(30_000)
    playback.play(voice)
    heard += playback.pull(10_000)
    settle { voice.stop() }
    heard += playback.pull(20_000)
    let gains = gains(80_000, 0..<20_000, 50_000..<60_000)
    let error = error(heard) { 0.5 * gains[$0 / 2] }
    #expect(error <= 1e-6)
  }

  @Test func `what is ducked by a voice that sounds already goes down at once, and comes back`() {
    let player = playback.start([Float](repeating: 1, count: 1_000_000))
    let voice = playback.start([Float](repeating: 0, count: 1_000_000), ends: false)
    var heard = playback.pull(1_000)
    duck([player.0], while: voice.0)
    heard += playback.pull(9_000)
    duck([], while: voice.0)
    heard += playback.pull(30_000)
    let gains = gains(40_000, 1_000..<10_000)
    let error = error(heard) { gains[$0 / 2] }
    #expect(error <= 1e-6)
  }

  @Test func `two that duck one are both heard in it, and one that is released lets go`() {
    let player = playback.start([Float](repeating: 1, count: 1_000_000))
    let silence = [Float](repeating: 0, count: 400_000)
    let first = playback.start(silence, ends: false)
    duck([player.0], while: first.0)
    _ = playback.pull(10_000)
    do {
      let second = playback.start(silence, ends: false)
      duck([player.0], while: second.0)
      let heard = playback.pull(10_000).last ?? 0
      #expect(abs(Double(heard) - level * level) <= 1e-6)
    }
    wait { playback.bus.withLock { playback.bus.mix.transport(of: 2) != .running } }
    let heard = playback.pull(20_000).last ?? 0
    #expect(abs(Double(heard) - level) <= 1e-6)
    withExtendedLifetime(first) {}
  }

  @Test func `more than sixty-four that have come and gone can duck`() {
    let player = playback.start([Float](repeating: 1, count: 2_000_000))
    for _ in 0..<80 {
      let voice = playback.start([Float](repeating: 0, count: 2_000))
      duck([player.0], while: voice.0)
      _ = playback.pull(2_000)
    }
    wait { playback.bus.voiceCount == 1 }
    #expect(playback.pull(20_000).last == 1)
  }
}
