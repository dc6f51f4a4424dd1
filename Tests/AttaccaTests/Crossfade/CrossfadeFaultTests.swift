// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Foundation
@testable import Rendering
import Testing

/// Items that overlap, or would, and cannot be read as they say.
@Suite struct CrossfadeFaultTests {
  private static let lengths = [50_000, 40_000, 40_000]
  private static let overlap = 12_000
  private static let crossfade = ItemCrossfade(duration: MediaTime(value: 1, timescale: 4))
  private let items = lengths.enumerated().map { CrossfadePlayback.item($0, length: $1) }

  /// The first item has no frames from `place` on.
  private func opener(cutAt place: Int64, fails: Bool) -> DecoderWatchdog.Opener {
    let pool = FramePool()
    return { item in
      let source = try item.makeSource(pool: pool)
      return item.path == "item 0" ? CutSource(source, at: place, fails: fails) : source
    }
  }

  /// What is heard of that: the next item is whole where the first one does not come to the overlap, at 38,000; in
  /// the overlap it is silent.
  private func model(cutAt place: Int) -> CrossfadeModel {
    var items = Self.lengths.enumerated().map { CrossfadePlayback.modelled($0, length: $1) }
    guard place >= Self.lengths[0] - Self.overlap else {
      items[0] = CrossfadePlayback.modelled(0, length: place)
      return CrossfadeModel(items: items, wanted: Self.overlap, apart: [0])
    }
    items[0] = CrossfadeModel.Item(length: Self.lengths[0]) {
      $0 < place ? CrossfadePlayback.sample(0, $0) : 0
    }
    return CrossfadeModel(items: items, wanted: Self.overlap)
  }

  @Test(arguments: [1, 20_000, 37_999, 38_001, 40_000, 44_000, 47_000], [false, true])
  func `an item that ends early takes nothing of the next one with it`(place: Int, fails: Bool) {
    let playback = OfflinePlayback(
      format: CrossfadePlayback.format, fade: .none,
      decoder: DecoderWatchdog(opening: opener(cutAt: Int64(place), fails: fails)))
    playback.player.playlist.append(contentsOf: items)
    playback.player.crossfade = Self.crossfade
    let heard = playback.playToEnd()
    let model = model(cutAt: place)
    #expect(heard.count == model.count)
    let worst = furthest(heard, model.samples)
    #expect(worst.distance < 2e-7, "\(worst)")
  }

  @Test(arguments: [1, 20_000, 37_999, 38_001, 40_000, 44_000, 47_000], [false, true])
  func `an item of a rendering that ends early takes nothing of the next one with it`(
    place: Int, fails: Bool
  ) {
    var bounced: [Float] = []
    var failures = 0
    Bounce(
      items, opening: opener(cutAt: Int64(place), fails: fails), format: CrossfadePlayback.format,
      crossfade: Self.crossfade
    ).render {
      bounced.append(contentsOf: $0)
    } failed: { _ in
      failures += 1
    }
    let model = model(cutAt: place)
    #expect(bounced.count == model.count)
    let worst = furthest(bounced, model.samples)
    #expect(worst.distance < 2e-7, "\(worst)")
    // From 44,000 on its frames are the next one's.
    #expect(failures == (fails && place < 44_000 ? 1 : 0))
  }

  @Test func `a file that hangs when it is opened takes no neighbour of a rendering with it`() {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let pool = FramePool()
    var bounced: [Float] = []
    var failures: [String] = []
    Bounce(
      [items[0], items[1], items[2]],
      opening: { item in
        if item.path == "item 1" {
          gate.wait()
          gate.signal()
        }
        return try item.makeSource(pool: pool)
      }, format: CrossfadePlayback.format, sizes: Bounce.Sizes(threads: 2, timeout: 2),
      crossfade: Self.crossfade
    ).render {
      bounced.append(contentsOf: $0)
    } failed: {
      failures.append($0.item.path)
    }
    #expect(failures == ["item 1"])
    let model = CrossfadeModel(
      items: [0, 2].map { CrossfadePlayback.modelled($0, length: Self.lengths[$0]) },
      wanted: Self.overlap, apart: [0])
    #expect(bounced.count == model.count)
    let worst = furthest(bounced, model.samples)
    #expect(worst.distance < 2e-7, "\(worst)")
  }

  @Test func `an item that nobody opens ahead is opened when it is to overlap, and not waited for`()
  {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let pool = FramePool()
    let ahead = OpeningAhead { item in
      if item.path == "item 1" {
        gate.wait()
        gate.signal()
      }
      return try item.makeSource(pool: pool)
    }
    guard case .done(.some) = ahead.take(items[0], within: 60_000_000_000) else {
      Issue.record("what is there is not opened")
      return
    }
    guard case .late = ahead.take(items[1], within: 1_000_000) else {
      Issue.record("what hangs is waited for")
      return
    }
    guard case .done(.some) = ahead.take(items[2], within: 60_000_000_000) else {
      Issue.record("what hangs holds up others")
      return
    }
  }

  @Test func `a turn behind an overlap goes back over it where a length was being searched for`() {
    let decoder = DecoderWatchdog { (path: String) throws(SoundFileError) in
      try SearchedSource(path: path, framesPerStep: 500, seconds: 0)
    }
    let playback = OfflinePlayback(
      ["ramp 1 9000", "ramp 2 8000"],
      format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), fade: .none,
      decoder: decoder)
    let player = playback.player
    player.renderer.audioTimePitchAlgorithm = .varispeed
    player.crossfade = ItemCrossfade(
      duration: MediaTime(value: 1_500, timescale: Int32(RampSource.rate)), curve: .linear)
    player.play()
    _ = playback.pull(9_500)
    playback.settle()
    player.rate = -1
    playback.settle()
    let heard = playback.pullToEnd()
    var model = CrossfadeModel(
      items: [(2, 8_000), (1, 9_000)].map { number, length in
        CrossfadeModel.Item(length: length) { Double(RampSource.sample(number, length - 1 - $0)) }
      }, wanted: 1_500)
    model.isEqualPower = false
    let wanted = model.samples.dropFirst(model.count - 9_500)
    #expect(heard.count == wanted.count)
    let worst = furthest(heard.dropFirst(40), wanted.dropFirst(40))
    #expect(worst.distance < 58_000 * 2e-7, "\(worst)")
  }
}
