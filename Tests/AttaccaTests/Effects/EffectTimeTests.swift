// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestFixtures
import TestSeeds
import Testing

/// Effects that leave the sound alone, and those that only delay it: nothing may be another frame, nor
/// another time.
@Suite struct EffectTimeTests {
  /// Effects after which each frame has to be what it was.
  static let transparent: [[any AudioEffect]] = [
    [IdentityEffect()], [DelayEffect(latency: 128)],
    [DelayEffect(latency: 1), IdentityEffect(), DelayEffect(latency: 5_000)],
  ]

  /// The same list twice, once through effects.
  private struct Pair {
    let plain: OfflinePlayback
    let affected: OfflinePlayback

    init(_ paths: [String], _ effects: [any AudioEffect]) {
      (plain, affected) = (OfflinePlayback(paths), OfflinePlayback(paths))
      affected.renderer.effects = effects
    }

    func both(_ body: (OfflinePlayback) -> Void) {
      for playback in [plain, affected] { body(playback) }
    }

    /// Where the next `count` frames differ, and whether the times do behind them.
    func pull(_ count: Int, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
      let (a, b) = (plain.pull(count), affected.pull(count))
      #expect(firstDifference(a, b) == nil, "\(what)", sourceLocation: sourceLocation)
      let (x, y) = (
        plain.player.synchronizer.currentTime(), affected.player.synchronizer.currentTime()
      )
      #expect(x == y, "\(what)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: 0..<3)
  func `fifty seeks, skips, volumes, rates, turns and edits sound the same`(_ index: Int) {
    let names = ["album-uncut.flac", "cut/uncut.flac", "album/01 flac.flac", "album-uncut.flac"]
    let pair = Pair(names.map { Fixtures.path($0) }, Self.transparent[index])
    // What keeps the pitch makes other frames wherever it begins.
    pair.both { $0.renderer.audioTimePitchAlgorithm = .varispeed }
    let seed = SplitMix64.givenSeeds?.first ?? UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    pair.both {
      $0.player.play()
      $0.settle()
    }
    // 40 s: neither end of the first item is reached.
    pair.both { playback in
      playback.splicing { playback.player.seek(to: MediaTime(value: 20, timescale: 1)) }
    }
    for step in 0..<50 {
      // Or how much of a fade there is depends on the decoder.
      pair.both { $0.renderer.waitForFade() }
      let kind = Int.random(in: 0..<7, using: &random)
      switch kind {
      case 0, 1:
        let time = MediaTime(
          value: Int64.random(in: 720_000..<1_200_000, using: &random), timescale: 48_000)
        pair.both { playback in playback.splicing { playback.player.seek(to: time) } }
      case 2:
        pair.both { playback in
          playback.splicing {
            playback.player.jump(to: 0, offset: MediaTime(value: 20, timescale: 1))
          }
        }
      case 3:
        let volume = Float.random(in: 0...1, using: &random)
        pair.both { $0.renderer.volume = volume }
      case 4:
        let rate = [0.5, 1, 1.5, -1].randomElement(using: &random)!
        pair.both {
          $0.player.setRate(rate)
          $0.settle()
        }
      case 5:
        pair.both {
          $0.player.pause()
          $0.settle()
          $0.player.play()
          $0.settle()
        }
      default:
        let item = PlaylistItem(path: Fixtures.path(names[Int.random(in: 0..<4, using: &random)]))
        pair.both {
          $0.player.playlist.insert(item, at: 1)
          $0.settle()
        }
      }
      pair.pull(Int.random(in: 1..<20_000, using: &random), "seed \(seed), step \(step), \(kind)")
    }
  }

  @Test(arguments: 0..<3, [1, 2, -1, 0.75])
  func `a list is as long, and its joints are where they were`(_ index: Int, _ rate: Double) throws
  {
    let paths = try Fixtures.playlist("cut/cut.m3u8")
    let pair = Pair(paths, Self.transparent[index])
    var ends: [MediaTime] = []
    let heard = [pair.plain, pair.affected].map { playback in
      if rate < 0 { playback.player.jump(to: paths.count - 1) }
      playback.player.play()
      playback.settle()
      playback.player.setRate(rate)
      playback.settle()
      let heard = playback.pullToEnd()
      ends.append(playback.player.synchronizer.currentTime())
      return heard
    }
    #expect(heard[0].count > 100_000)
    #expect(firstDifference(heard[0], heard[1]) == nil, "\(heard.map(\.count))")
    #expect(ends[0] == ends[1])
  }

  @Test(arguments: 0..<3)
  func `an album of many formats sounds the same`(_ index: Int) throws {
    let paths = try Fixtures.playlist("album/album.m3u8")
    let pair = Pair(paths, Self.transparent[index])
    let heard = [pair.plain, pair.affected].map { $0.playToEnd() }
    #expect(firstDifference(heard[0], heard[1]) == nil)
  }

  @Test(arguments: 0..<3)
  func `what is enqueued, with gaps and steps back, is heard at its time`(_ index: Int) {
    let lines = (PulledLine(), PulledLine())
    lines.1.renderer.effects = Self.transparent[index]
    let heard = [lines.0, lines.1].map { line in
      line.renderer.enqueue(buffer(ramp(1, 10_000), atFrame: 0))
      line.renderer.enqueue(buffer(ramp(10_001, 10_000), atFrame: 10_000))
      line.renderer.enqueue(buffer(ramp(20_001, 5_000), atFrame: 20_003))
      line.renderer.enqueue(buffer(ramp(20_001, 10_000), atFrame: 20_000))
      line.renderer.enqueue(buffer(ramp(60_001, 10_000), atFrame: 60_000))
      line.renderer.enqueue(buffer(ramp(1_000, 1_000), atFrame: 70_200))
      line.renderer.finishEnqueuing()
      line.synchronizer.rate = 1
      return line.pull(100_000)
    }
    #expect(heard[0].count == 71_200)
    #expect(firstDifference(heard[0], heard[1]) == nil)
  }
}
