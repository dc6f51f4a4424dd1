// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

/// Effects and taps on the sum of a bus.
@Suite struct BusEffectTests {
  private static let delay = 240

  /// Ten voices that begin, change their volume, pause and go on at random frames of what is pulled.
  private func play(_ effects: [any AudioEffect], seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    let playback = BusPlayback()
    playback.bus.effects = effects
    var heard: [Float] = []
    var voices: [(AudioRenderer, RenderSynchronizer)] = []
    for _ in 0..<10 {
      let length = Int.random(in: 10_000..<100_000, using: &random)
      let samples = (0..<2 * length).map { _ in Float.random(in: -1...1, using: &random) }
      voices.append(playback.start(samples, ends: false))
      for _ in 0..<4 {
        heard += playback.pullSome(Int.random(in: 1..<5_000, using: &random))
        let voice = voices[Int.random(in: 0..<voices.count, using: &random)]
        switch Int.random(in: 0..<3, using: &random) {
        case 0: voice.0.volume = Float.random(in: 0...2, using: &random)
        case 1: voice.1.rate = 0
        default: voice.1.rate = 1
        }
      }
    }
    return heard
  }

  @Test func `whatever voices do, a limiter makes of the sum what it makes of it in one piece`() {
    let seed = UInt64.random(in: 0...(.max))
    let limiter = LimiterEffect(ceiling: -1, lookAhead: 0.005, release: 0.05)
    let limited = play([limiter], seed: seed)
    // Of the same latency: voices change at the same frames.
    let sum = play([DelayEffect(latency: Self.delay)], seed: seed)
    let whole = processed(sum, by: limiter, format: BusPlayback.format)
    // The last ones look ahead at what has not been pulled of the sum.
    let known = Array(limited.dropLast(2 * Self.delay))
    #expect(limited.count == sum.count && known.count > 10_000)
    #expect(sum.contains { abs($0) > 1 } && !limited.contains { abs($0) > Decibels.factor(-1) })
    #expect(
      firstDifference(known, Array(whole.prefix(known.count))) == nil,
      "seed \(seed): \(limited.count), \(sum.count)")
  }

  @Test(arguments: [0, 128, 5_000])
  func `fifty edits of one voice leave the other's frames and times as they are, behind a delay`(
    latency: Int
  ) {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let playback = BusPlayback()
    playback.bus.effects = latency > 0 ? [DelayEffect(latency: latency)] : [IdentityEffect()]
    let music = playback.makePlayer([GeneratorSource.numbers(in: 0)])
    let voice = playback.makePlayer([GeneratorSource.numbers(in: 1)], fade: .standard)
    playback.play(music)
    var heard = playback.pull(10_000)
    // Until then its time is zero.
    wait { music.currentItem != nil }
    playback.play(voice)
    for _ in 0..<50 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0...2:
        let frame = Int64.random(in: 0..<1_000_000, using: &random)
        voice.seek(to: MediaTime(value: frame, timescale: 48_000))
      case 3: voice.pause()
      default: voice.volume = Float.random(in: 0...1, using: &random)
      }
      if Bool.random(using: &random) { voice.play() }
      heard += playback.pull(Int.random(in: 1..<8_000, using: &random))
      let time = music.currentTime.seconds * 48_000
      #expect(Int(time.rounded()) == heard.count / 2 - latency)
    }
    let expected = (0..<(heard.count / 2)).map { Float(max(0, $0 + 1 - latency)) }
    #expect(firstDifference(channel(0, of: heard), expected) == nil, "seed \(seed)")
    #expect(channel(1, of: heard).contains { $0 > 0 })
  }

  @Test
  func `a limiter has nothing counted as too loud, and what a gain behind it makes louder is`() {
    for (effects, count) in [
      ([], 20_000), ([LimiterEffect()], 0),
      ([LimiterEffect(ceiling: -1), GainEffect(2)] as [any AudioEffect], 20_000),
    ] {
      let playback = BusPlayback()
      playback.bus.effects = effects
      let loud = [Float](repeating: 0.75, count: 40_000)
      let voices = [playback.start(loud), playback.start(loud)]
      _ = playback.pullToEnd()
      #expect(playback.bus.clippedFrameCount == count)
      withExtendedLifetime(voices) {}
    }
  }

  /// A new equalizer began from silence where the lanes had let go of what was heard.
  @Test func `an equalizer that is set again goes on as though it had not been`() {
    let low = EqualizerEffect([.init(.lowShelf, frequency: 60, gain: 12)])
    let samples = (0..<400_000).map { Float(sin(Double($0 / 2) / 150)) / 8 }
    func heard(again: Bool) -> [Float] {
      let playback = BusPlayback()
      playback.bus.effects = [low]
      let voice = playback.start(samples)
      var heard = playback.pull(90_000)
      if again { playback.bus.effects = [low] }
      heard += playback.pull(20_000)
      withExtendedLifetime(voice) {}
      return heard
    }
    let difference = zip(heard(again: false), heard(again: true)).map { abs($0 - $1) }.max()!
    #expect(difference < 1e-4)
  }

  @Test func `effects that are set to none are let go of once they have gone out`() {
    let playback = BusPlayback()
    playback.bus.effects = [GainEffect(-6)]
    let voice = playback.start([Float](repeating: 1, count: 400_000))
    _ = playback.pull(1_000)
    playback.bus.effects = []
    var isThere: [Bool] = []
    for _ in 0..<2 {
      isThere.append(playback.bus.withLock { playback.bus.mix.effects != nil })
      _ = playback.pull(60_000)
      voice.0.enqueue(
        SampleBuffer(
          samples: [Float](repeating: 1, count: 96_000), format: BusPlayback.format,
          at: MediaTime(value: 200_000, timescale: 48_000)))
    }
    #expect(isThere.first == true)
    #expect(playback.bus.withLock { playback.bus.mix.effects == nil })
  }

  @Test func `effects that are set while voices are heard take over by a crossfade, and go by one`()
  {
    let playback = BusPlayback()
    let ones = [Float](repeating: 1, count: 200_000)
    let voice = playback.start(ones)
    #expect(playback.pull(1_000) == [Float](repeating: 1, count: 2_000))
    let half = Decibels.factor(-6)
    let steps: [(effects: [any AudioEffect], from: Float, to: Float)] = [
      ([GainEffect(-6)], 1, half), ([GainEffect(-6), DelayEffect(latency: 128)], half, half),
      ([], half, 1),
    ]
    for (effects, from, to) in steps {
      playback.bus.effects = effects
      let heard = channel(0, of: playback.pull(5_000))
      for (n, sample) in heard.enumerated() {
        let part = min(Float(n + 1) / 241, 1)
        #expect(abs(sample - (from + (to - from) * part)) < 1e-6, "\(n)")
      }
    }
    withExtendedLifetime(voice) {}
  }

  @Test
  func `a tap on the bus tells the frames that are pulled, behind effects, at the device's time`()
    async
  {
    let playback = BusPlayback()
    playback.bus.effects = [LimiterEffect(ceiling: -3)]
    let tap = playback.bus.tap()
    var random = SplitMix64(seed: .random(in: 0...(.max)))
    let noise = (0..<200_000).map { _ in Float.random(in: -1...1, using: &random) }
    let voices = [playback.start(noise), playback.start(noise)]
    var heard = playback.pull(30_000)
    voices[0].0.volume = 0.25
    heard += playback.pull(20_001)
    voices[1].1.rate = 0
    while case let more = playback.pullSome(10_000), !more.isEmpty { heard += more }
    var told: [Float] = []
    for await audio in tap {
      #expect(audio.rate == 1)
      #expect(audio.buffer.time == RationalTime(frames: Int64(told.count / 2), rate: 48_000))
      audio.buffer.withFrames { told += $0 }
      if told.count >= heard.count { break }
    }
    #expect(firstDifference(told, heard) == nil, "\(told.count), \(heard.count)")
  }
}
