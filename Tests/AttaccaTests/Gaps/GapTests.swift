// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import Testing

/// Silence between items, on ramps whose frames name themselves.
@Suite struct GapTests {
  private typealias Playback = GapPlayback

  private static let fade = Fade.standard.frames(at: RampSource.rate)

  private func difference(_ heard: [Float], _ wanted: [Float], behind fade: Int = 0) -> String? {
    guard heard.count == wanted.count else { return "\(heard.count) frames, not \(wanted.count)" }
    return firstDifference(Array(heard.dropFirst(fade)), Array(wanted.dropFirst(fade)))
      .map { "\($0)" }
  }

  @Test(arguments: [1, 2, 999, 4_000, 20_001])
  func `silence of so many frames lies between items, in front of none and behind none`(gap: Int) {
    let run = Playback([3_000, 1, 2_500], gap: gap)
    let heard = run.offline.playToEnd()
    let wanted =
      Playback.item(1, 0..<3_000) + Playback.silence(gap) + Playback.item(2, 0..<1)
      + Playback.silence(gap) + Playback.item(3, 0..<2_500)
    #expect(difference(heard, wanted) == nil)
  }

  @Test func `two seconds are 88,200 frames of a CD, and 96,000 of a device at 48 kHz`() {
    func item(_ number: Int, frames: Int64) -> PlaylistItem {
      PlaylistItem(
        GeneratorSource(
          name: "\(number)", format: AudioFormat(sampleRate: 44_100, layout: .mono),
          frameCount: frames
        ) { samples, first in
          for i in samples.indices { samples[i] = Float((Int(first) + i) % 101 - 50) / 100 }
        })
    }
    // The same as one source, with the silence in it.
    let whole = PlaylistItem(
      GeneratorSource(
        name: "whole", format: AudioFormat(sampleRate: 44_100, layout: .mono), frameCount: 176_400
      ) { samples, first in
        for i in samples.indices {
          let frame = Int(first) + i
          let inItem = frame < 44_100 ? frame : frame >= 132_300 ? frame - 132_300 : nil
          samples[i] = inItem.map { Float($0 % 101 - 50) / 100 } ?? 0
        }
      })
    func heard(_ items: [PlaylistItem]) -> [Float] {
      let playback = OfflinePlayback(format: AudioFormat(sampleRate: 48_000, layout: .mono))
      playback.player.gap = MediaTime(value: 2, timescale: 1)
      playback.player.playlist.append(contentsOf: items)
      return playback.playToEnd()
    }
    let apart = heard([item(1, frames: 44_100), item(2, frames: 44_100)])
    #expect(apart.count == 48_000 + 96_000 + 48_000)
    #expect(difference(apart, heard([whole])) == nil)
  }

  @Test func `an item's own gap counts more than the list's, zero too`() {
    let run = Playback([1_000], gap: 500)
    run.player.playlist.append(
      contentsOf: [(2, 70), (3, 0)].map { number, gap in
        PlaylistItem(path: "ramp \(number) 1000", gap: Playback.time(gap))
      })
    run.player.playlist.append(PlaylistItem(path: "ramp 4 1000"))
    let wanted =
      Playback.item(1, 0..<1_000) + Playback.silence(70) + Playback.item(2, 0..<1_000)
      + Playback.item(3, 0..<1_000) + Playback.silence(500) + Playback.item(4, 0..<1_000)
    #expect(difference(run.offline.playToEnd(), wanted) == nil)
  }

  @Test func `the item behind the silence is current in it, and counts up to zero`() {
    let run = Playback([3_000, 2_500], gap: 4_000)
    let events = run.player.events
    run.player.play()
    _ = run.pull(2_999)
    run.waitForItem(1)
    #expect(run.offset == 2_999)
    for (pulled, offset) in [(2, -3_999), (999, -3_000), (2_999, -1), (1, 0), (10, 10)] {
      _ = run.pull(pulled)
      run.waitForItem(2)
      #expect(run.offset == Int64(offset))
    }
    #expect(run.player.currentSpan?.start == RationalTime(frames: 7_000, rate: RampSource.rate))
    #expect(run.player.duration == Playback.time(2_500))
    _ = run.offline.pullToEnd()
    withExtendedLifetime(events) {}
  }

  @Test func `a repeated item has silence in front of each playing but the first`() {
    let run = Playback([800], gap: 300)
    run.player.setRepeatMode(.one)
    run.player.play()
    let once = Playback.silence(300) + Playback.item(1, 0..<800)
    let heard = run.pull(800 + 2 * 1_100)
    #expect(difference(heard, Playback.item(1, 0..<800) + once + once) == nil)
  }

  @Test func `a list that repeats has silence between its last item and its first`() {
    let run = Playback([800, 500], gap: 300)
    run.player.setRepeatMode(.all)
    run.player.play()
    let heard = run.pull(800 + 300 + 500 + 300 + 800)
    let wanted =
      Playback.item(1, 0..<800) + Playback.silence(300) + Playback.item(2, 0..<500)
      + Playback.silence(300) + Playback.item(1, 0..<800)
    #expect(difference(heard, wanted) == nil)
  }

  @Test func `a loop has no silence in it, and what follows it has`() {
    let run = Playback([3_000, 500], gap: 300)
    run.player.play()
    _ = run.pull(100)
    run.player.setLoop(from: Playback.time(1_000), to: Playback.time(2_000))
    run.offline.settle()
    let heard = run.pull(2_000 - 100 + 1_000 + 500)
    #expect(
      difference(
        heard,
        Playback.item(1, 100..<2_000) + Playback.item(1, 1_000..<2_000)
          + Playback.item(1, 1_000..<1_500)) == nil)
    run.player.endLoop()
    run.offline.settle()
    let rest = run.offline.pullToEnd()
    #expect(
      difference(
        rest,
        Playback.item(1, 1_500..<3_000) + Playback.silence(300) + Playback.item(2, 0..<500)) == nil)
  }

  @Test func `a skip and a seek begin an item without silence`() {
    let run = Playback([3_000, 4_000, 5_000], gap: 700)
    run.player.play()
    _ = run.pull(1_000)
    run.offline.splicing { run.player.next() }
    let second = run.pull(1_000)
    #expect(difference(second, Playback.item(2, 0..<1_000), behind: Self.fade) == nil)
    run.waitForItem(2)
    run.offline.splicing { run.player.seek(to: Playback.time(3_500)) }
    let rest = run.offline.pullToEnd()
    let wanted =
      Playback.item(2, 3_500..<4_000) + Playback.silence(700) + Playback.item(3, 0..<5_000)
    #expect(difference(rest, wanted, behind: Self.fade) == nil)
  }

  @Test func `items that cannot be opened are passed in one silence`() {
    let run = Playback([], gap: 700)
    run.player.playlist.append(
      contentsOf: ["missing", "ramp 1 1000", "missing", "missing", "ramp 2 1000", "missing"].map {
        PlaylistItem(path: $0)
      })
    let wanted = Playback.item(1, 0..<1_000) + Playback.silence(700) + Playback.item(2, 0..<1_000)
    #expect(difference(run.offline.playToEnd(), wanted) == nil)
  }

  @Test func `an item without a frame has no silence of its own`() {
    let run = Playback([1_000, 0, 1_000], gap: 700)
    let wanted = Playback.item(1, 0..<1_000) + Playback.silence(700) + Playback.item(3, 0..<1_000)
    #expect(difference(run.offline.playToEnd(), wanted) == nil)
  }

  @Test func `a rate applies to the silence`() {
    let run = Playback([1_000, 1_000], gap: 2_000)
    run.player.play()
    _ = run.pull(1_500)
    run.waitForItem(2)
    run.player.rate = 2
    run.offline.settle()
    let heard = run.offline.pullToEnd()
    // 1,500 frames of silence and 1,000 of the item, at twice the speed.
    #expect(heard.count == 1_250)
    // Behind the filter's reach into the first item, and up to that into the second one: -100 dB.
    #expect(heard[100..<650].allSatisfy { abs($0) < 0.2 }, "\(heard[100..<650].map(abs).max()!)")
  }

  @Test func `a rendering without a player has the same frames`() {
    let items = [(1, nil), (2, 70), (3, nil), (4, 0)].map { number, gap in
      PlaylistItem(path: "ramp \(number) \(number * 900)", gap: gap.map(Playback.time))
    }
    let run = Playback([], gap: 0)
    run.player.gap = Playback.time(333)
    run.player.playlist.append(contentsOf: items)
    let bounce = Bounce(
      items, opening: { try RampSource(path: $0.path) }, format: run.offline.renderer.format,
      gap: Playback.time(333))
    var rendered: [Float] = []
    bounce.render { rendered.append(contentsOf: $0) }
    #expect(rendered.count == 900 + 70 + 1_800 + 333 + 2_700 + 3_600)
    #expect(difference(run.offline.playToEnd(), rendered) == nil)
  }

  @Test func `items overlap where no silence lies between them`() {
    let lengths = [6_000, 6_000, 6_000]
    func heard(_ gap: Int?) -> [Float] {
      let run = CrossfadePlayback(crossfade: 2_000)
      run.player.gap = MediaTime(value: 500, timescale: 48_000)
      let gaps = [gap, 0, gap]
      run.player.playlist.append(
        contentsOf: zip(lengths, gaps).enumerated().map { number, item in
          PlaylistItem(
            CrossfadePlayback.source(number, length: item.0),
            gap: item.1.map { MediaTime(value: Int64($0), timescale: 48_000) })
        })
      return run.offline.playToEnd()
    }
    #expect(heard(0).count == 18_000 - 2 * 2_000)
    #expect(heard(300).count == 18_000 - 2_000 + 300)
    #expect(heard(nil).count == 18_000 - 2_000 + 500)
  }
}
