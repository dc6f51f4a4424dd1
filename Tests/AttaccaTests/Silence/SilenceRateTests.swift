// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import TestFixtures
import Testing

/// Silences of files at the rates that files have, on devices of the same rate and of another one.
@Suite struct SilenceRateTests {
  /// Loud frames, and silent ones behind them.
  private static let runs = [
    (2_000, 900), (3_000, 30_000), (777, 100_001), (1, 1_102), (40_000, 1_103), (500, 0),
  ]
  private static let frameCount = runs.reduce(0) { $0 + $1.0 + $1.1 }

  /// True for each frame that is silent.
  private static let silent = runs.flatMap {
    [Bool](repeating: false, count: $0) + [Bool](repeating: true, count: $1)
  }

  /// A frame that names itself, or silence.
  private static func sample(_ frame: Int) -> Float {
    silent[frame] ? 0 : 0.25 + Float(frame) / Float(1 << 20)
  }

  private static func item(_ rate: Int) -> PlaylistItem {
    PlaylistItem(
      GeneratorSource(
        name: "runs", format: AudioFormat(sampleRate: rate, layout: .mono),
        frameCount: Int64(frameCount)
      ) { samples, first in
        for i in samples.indices { samples[i] = sample(Int(first) + i) }
      })
  }

  /// What is heard at the file's rate: each silence as long as Media3 keeps it, whose numbers `SilenceShareTests` has.
  private static func expected(_ rate: Int) -> [Float] {
    var heard: [Float] = []
    var share = SilenceShare(
      SilenceSkipping(), format: AudioFormat(sampleRate: rate, layout: .mono))
    var frame = 0
    for (loud, quiet) in runs {
      heard += (frame..<(frame + loud)).map(sample)
      frame += loud + quiet
      share.begin()
      share.grow(to: Int64(quiet))
      let kept = Int64(quiet) < share.least ? quiet : Int(share.head + share.tail(of: Int64(quiet)))
      heard += [Float](repeating: 0, count: kept)
    }
    return heard
  }

  private func play(_ rate: Int, on device: Int, at speed: Double = 1) -> (
    heard: [Float], skipped: MediaTime
  ) {
    let offline = OfflinePlayback(format: AudioFormat(sampleRate: device, layout: .mono))
    offline.player.silenceSkipping = SilenceSkipping()
    offline.player.defaultRate = speed
    offline.player.playlist.append(Self.item(rate))
    let heard = offline.playToEnd()
    wait { offline.player.rate == 0 && offline.player.currentItem == nil }
    return (heard, offline.player.skippedSilence)
  }

  @Test(arguments: [44_100, 96_000])
  func
    `at the device's rate loud frames are heard to the bit, and silences as long as they are kept`(
      rate: Int
    )
  {
    let (heard, skipped) = play(rate, on: rate)
    expectFrames(heard, is: Self.expected(rate))
    #expect(RationalTime(skipped).frames(at: rate) == Int64(Self.frameCount - heard.count))
  }

  @Test(arguments: [44_100, 96_000])
  func `backwards the same is left out of them`(rate: Int) {
    let (heard, skipped) = play(rate, on: rate, at: -1)
    let loud = (0..<Self.frameCount).reversed().filter { !Self.silent[$0] }.map(Self.sample)
    expectFrames(heard.filter { $0 != 0 }, is: loud)
    #expect(RationalTime(skipped).frames(at: rate) == Int64(Self.frameCount - heard.count))
  }

  @Test(arguments: [44_100, 96_000])
  func `on a device of another rate it is as long, and a rendering to the bit`(rate: Int) {
    let (heard, skipped) = play(rate, on: 48_000)
    let exact = Double(Self.expected(rate).count) * 48_000 / Double(rate)
    #expect(abs(Double(heard.count) - exact) <= 1)
    let left = Self.frameCount - Self.expected(rate).count
    #expect(RationalTime(skipped).frames(at: rate) == Int64(left))
    let bounce = Bounce(
      [Self.item(rate)], format: AudioFormat(sampleRate: 48_000, layout: .mono),
      silenceSkipping: SilenceSkipping())
    var bounced: [Float] = []
    bounce.render { bounced += $0 }
    expectFrames(bounced, is: heard)
  }
}
