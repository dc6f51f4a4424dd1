// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

/// Playing backwards, on ramps that name the frame that is heard.
@Suite struct ReverseTests {
  /// Frames of a crossfade, at the ramps' rate.
  private static let fade = Fade.standard.frames(at: RampSource.rate)

  @Test func `a list backwards is its frames in reverse, to the bit, across joints`() {
    let playback = ReversedPlayback(["ramp 1 4000", "ramp 2 1", "ramp 3 3001", "ramp 4 6000"])
    playback.player.defaultRate = -1
    let heard = playback.offline.playToEnd()
    let order = [(4, 6_000), (3, 3_001), (2, 1), (1, 4_000)]
    #expect(firstDifference(heard, playback.reversed(order)) == nil)
    playback.offline.settle()
    #expect(playback.player.rate == 0)
    #expect(playback.player.currentItem == nil)
  }

  @Test
  func `a turn in the middle of an item goes back from the frame that was heard, and forth again`()
  {
    let playback = ReversedPlayback(["ramp 1 16000"])
    let player = playback.player
    player.play()
    _ = playback.pull(5_000)
    playback.turn(to: -1)
    #expect(player.rate == -1)
    let back = playback.pull(3_000)
    #expect(player.synchronizer.timebase.rate == -1)
    playback.offline.waitForCurrent("ramp 1 16000")
    #expect(player.currentTime == MediaTime(value: 2_000, timescale: 2_000))
    playback.expect(back, isItem: 1, downFrom: 4_999, skipping: Self.fade)
    playback.turn(to: 1)
    let forth = playback.pull(3_000)
    playback.expect(forth, isItem: 1, upFrom: 2_000, skipping: Self.fade)
    #expect(player.currentTime == MediaTime(value: 5_000, timescale: 2_000))
  }

  @Test(arguments: [100, 700, 950, 999, 1_000, 1_001, 1_050, 1_300, 3_000])
  func `a turn near a joint passes it where it was passed`(place: Int) {
    let playback = ReversedPlayback(["ramp 1 1000", "ramp 2 900", "ramp 3 4000"])
    playback.player.play()
    _ = playback.pull(place)
    playback.turn(to: -1)
    let back = playback.pullToEnd()
    let all = [(1, 1_000), (2, 900), (3, 4_000)].flatMap { number, length in
      (0..<length).map { RampSource.sample(number, $0) }
    }
    let wanted = Array(all[..<place].reversed())
    #expect(back.count == wanted.count)
    #expect(
      firstDifference(Array(back.dropFirst(Self.fade)), Array(wanted.dropFirst(Self.fade))) == nil)
  }

  @Test func `backwards to the beginning is the end of the queue, and play goes on from there`() {
    let playback = ReversedPlayback(["ramp 1 1000", "ramp 2 1000"])
    let player = playback.player
    player.play()
    _ = playback.pull(1_500)
    playback.turn(to: -1)
    #expect(playback.pullToEnd().count == 1_500)
    playback.offline.settle()
    #expect(player.rate == 0)
    #expect(player.currentItem == nil)
    player.play()
    #expect(firstDifference(playback.pull(1_000), playback.forward([(1, 1_000)])) == nil)
  }

  @Test func `after the end the last item is the first one backwards`() {
    let playback = ReversedPlayback(["ramp 1 1000", "ramp 2 1000"])
    #expect(playback.offline.playToEnd().count == 2_000)
    playback.offline.settle()
    playback.player.rate = -1
    let order = [(2, 1_000), (1, 1_000)]
    #expect(firstDifference(playback.pull(2_000), playback.reversed(order)) == nil)
  }

  // MARK: Order

  @Test func `all are repeated from the last one`() {
    let playback = ReversedPlayback(["ramp 1 300", "ramp 2 400"])
    playback.player.setRepeatMode(.all)
    playback.player.rate = -1
    let order = [(2, 400), (1, 300), (2, 400), (1, 300), (2, 400)]
    let wanted = playback.reversed(order)
    #expect(firstDifference(playback.pull(1_750), Array(wanted[..<1_750])) == nil)
    playback.player.setRepeatMode(.one)
    playback.offline.settle()
    let again = Array(wanted[1_750...]) + playback.reversed([(2, 400), (2, 400)])
    #expect(firstDifference(playback.pull(850), again) == nil)
  }

  @Test func `a loop goes from B down to A, and from B again`() {
    let playback = ReversedPlayback(["ramp 1 8000"])
    playback.player.rate = -1
    _ = playback.pull(1_000)
    playback.player.setLoop(
      from: MediaTime(value: 2_000, timescale: 2_000), to: MediaTime(value: 5_000, timescale: 2_000)
    )
    playback.offline.settle()
    let heard = playback.pull(5_000 + 3_000 + 500)
    let down = { (from: Int, to: Int) in (to..<from).reversed().map { RampSource.sample(1, $0) } }
    #expect(
      firstDifference(heard, down(7_000, 2_000) + down(5_000, 2_000) + down(5_000, 4_500)) == nil)
    playback.player.endLoop()
    playback.offline.settle()
    #expect(firstDifference(playback.pullToEnd(), down(4_500, 0)) == nil)
  }

  @Test func `stopping after the current item ends at its beginning`() {
    let playback = ReversedPlayback(["ramp 1 1000", "ramp 2 1000"])
    playback.player.rate = -1
    _ = playback.pull(100)
    playback.player.stopAfterCurrent()
    playback.offline.settle()
    #expect(playback.pullToEnd().count == 900)
    playback.offline.settle()
    playback.player.rate = -1
    #expect(firstDifference(playback.pull(1_000), playback.reversed([(1, 1_000)])) == nil)
  }

  @Test func `the next one and the one before are those of the list`() {
    let playback = ReversedPlayback(["ramp 1 8000", "ramp 2 8000", "ramp 3 8000"])
    let player = playback.player
    player.rate = -1
    playback.expect(playback.pull(200), isItem: 3, downFrom: 7_999, skipping: 0)
    playback.offline.splicing { player.jump(to: 1) }
    playback.expect(playback.pull(200), isItem: 2, downFrom: 7_999, skipping: Self.fade)
    playback.offline.splicing { player.next() }
    playback.expect(playback.pull(200), isItem: 3, downFrom: 7_999, skipping: Self.fade)
    playback.offline.splicing { player.previous() }
    playback.expect(playback.pull(200), isItem: 2, downFrom: 7_999, skipping: Self.fade)
    playback.offline.splicing { player.previous() }
    playback.expect(playback.pull(200), isItem: 1, downFrom: 7_999, skipping: Self.fade)
  }

  // MARK: Edits and seeks

  @Test func `what is put in before the current item is heard after it`() {
    let playback = ReversedPlayback(["ramp 1 3000", "ramp 2 3000"])
    playback.player.rate = -1
    let first = playback.pull(500)
    playback.player.playlist.insert(PlaylistItem(path: "ramp 3 2000"), at: 1)
    playback.offline.settle()
    let heard = first + playback.pullToEnd()
    #expect(
      firstDifference(heard, playback.reversed([(2, 3_000), (3, 2_000), (1, 3_000)])) == nil)
  }

  @Test func `what is taken out before the current item is not heard`() {
    let playback = ReversedPlayback(["ramp 1 3000", "ramp 2 3000", "ramp 3 3000"])
    playback.player.rate = -1
    let first = playback.pull(2_900)
    playback.player.playlist.remove(at: 1)
    playback.offline.settle()
    let heard = first + playback.pullToEnd()
    #expect(firstDifference(heard, playback.reversed([(3, 3_000), (1, 3_000)])) == nil)
  }

  @Test func `in the place of the current item the one before it is heard at once`() {
    let playback = ReversedPlayback(["ramp 1 3000", "ramp 2 3000", "ramp 3 3000"])
    playback.player.rate = -1
    _ = playback.pull(4_000)
    playback.offline.splicing { playback.player.playlist.remove(at: 1) }
    let heard = playback.pullToEnd()
    #expect(heard.count == 3_000)
    playback.expect(heard, isItem: 1, downFrom: 2_999, skipping: Self.fade)
  }

  @Test func `a seek backwards goes down from where it was asked to`() {
    let playback = ReversedPlayback(["ramp 1 4000", "ramp 2 8000"])
    let player = playback.player
    player.rate = -1
    _ = playback.pull(500)
    playback.offline.splicing { _ = player.seek(to: MediaTime(value: 2, timescale: 1)) as Edit }
    let heard = playback.pull(3_000)
    playback.expect(heard, isItem: 2, downFrom: 3_999, skipping: Self.fade)
    playback.offline.waitForCurrent("ramp 2 8000")
    #expect(player.currentTime == MediaTime(value: 1_000, timescale: 2_000))
    playback.offline.splicing { _ = player.seek(by: MediaTime(value: 1, timescale: 1)) as Edit }
    let later = playback.pull(3_000 + 4_000)
    playback.expect(later[..<3_000], isItem: 2, downFrom: 2_999, skipping: Self.fade)
    playback.expect(later[3_000...], isItem: 1, downFrom: 3_999, skipping: 0)
  }

  // MARK: Pauses

  @Test func `a turn while paused is heard from the first frame on, and loses none`() {
    let playback = ReversedPlayback(["ramp 1 16000"])
    let player = playback.player
    player.play()
    _ = playback.pull(5_000)
    player.pause()
    playback.offline.settle()
    _ = playback.pull(Self.fade)
    playback.offline.waitForCurrent("ramp 1 16000")
    let time = player.currentTime
    #expect(time == MediaTime(value: 5_000, timescale: 2_000))
    playback.turn(to: -1)
    #expect(player.currentTime == time)
    let back = playback.pull(2_000)
    playback.expect(back, isItem: 1, downFrom: 4_999, skipping: Self.fade)
    player.pause()
    playback.offline.settle()
    _ = playback.pull(Self.fade)
    playback.turn(to: -1)
    playback.expect(playback.pull(1_000), isItem: 1, downFrom: 2_999, skipping: Self.fade)
    player.pause()
    playback.offline.settle()
    _ = playback.pull(Self.fade)
    playback.turn(to: 1)
    playback.expect(playback.pull(1_000), isItem: 1, upFrom: 2_000, skipping: Self.fade)
  }

  // MARK: Other rates

  @Test(arguments: [-0.5, -2.0, -1.6])
  func `a list backwards lasts as long as it says at any rate`(rate: Double) {
    let playback = ReversedPlayback(["ramp 1 4000", "ramp 2 3001"])
    playback.player.defaultRate = rate
    let heard = playback.offline.playToEnd()
    #expect(heard.count == Int((7_001 / -rate).rounded()))
    let step = Float(rate)
    let second = heard[Int(600 / -rate)..<Int(2_400 / -rate)]
    let wrong = second.indices.first {
      abs(heard[$0] - (RampSource.sample(2, 3_001) + step * Float($0))) > 2
    }
    #expect(wrong == nil)
  }

  @Test func `another speed backwards goes on at the same place`() {
    let playback = ReversedPlayback(["ramp 1 16000"])
    playback.turn(to: -1)
    _ = playback.pull(2_000)
    var place = 14_000.0
    for rate in [-2.0, -0.5, -1.25, -1] {
      playback.turn(to: rate)
      let heard = playback.pull(2_000)
      let wrong = heard.indices.dropFirst(400).dropLast(100).first {
        abs(Double(heard[$0] - RampSource.sample(1, 0)) - (place + rate * Double($0))) > 1.5
      }
      #expect(wrong == nil, "\(rate)")
      place += 2_000 * rate
    }
  }

  @Test(arguments: [0.5, 1.0, 2.0], [-0.5, -1.0, -2.0])
  func `a turn to another speed is at the same place`(from old: Double, to new: Double) {
    let playback = ReversedPlayback(["ramp 1 16000"])
    playback.player.rate = old
    _ = playback.pull(Int(8_000 / old))
    playback.turn(to: new)
    let after = playback.pull(1_500)
    let first = RampSource.sample(1, 0) + 8_000
    let wrong = after.indices.dropFirst(400).dropLast(300).first {
      abs(after[$0] - (first + Float(new) * Float($0))) > 2.1
    }
    #expect(wrong == nil, "\(after[700]) \(first)")
  }

  /// Fixtures that tell their length, of all formats and rates.
  private static let counted = CountedFixture.all.filter { item in
    guard item.frames < 100_000 else { return false }
    return (try? SoundFile(path: item.path, pool: FramePool()))?.frameCount == item.frames
  }

  @Test(arguments: [44_100, 48_000])
  func `items of all formats backwards end on the frame of the exact sum`(rate: Int) {
    #expect(Self.counted.count > 25)
    var generator = SplitMix64(seed: 7)
    let items = (0..<60).map { _ in Self.counted.randomElement(using: &generator)! }
    let playback = OfflinePlayback(
      items.map(\.path), format: AudioFormat(sampleRate: rate, layout: .stereo))
    playback.player.defaultRate = -1
    let sum = items.reduce(RationalTime.zero) {
      $0 + RationalTime(frames: $1.frames, rate: $1.rate)
    }
    // Offset zero of the item that is heard first would be at time zero.
    let begin = RationalTime.zero - RationalTime(frames: items[59].frames, rate: items[59].rate)
    let frames = (begin + sum).frames(at: rate) - begin.frames(at: rate)
    #expect(playback.playToEnd().count / 2 == frames)
  }

  // MARK: What cannot be played

  @Test func `what does not tell its length is left out backwards, and says so`() async {
    let playback = ReversedPlayback(["ramp 1 2000", "ramp 2 2000 unknown", "ramp 3 2000"])
    var events = playback.player.events.makeAsyncIterator()
    playback.player.rate = -1
    let heard = playback.pullToEnd()
    #expect(firstDifference(heard, playback.reversed([(3, 2_000), (1, 2_000)])) == nil)
    while let event = await events.next() {
      guard case .itemsDidFail(let failures) = event else { continue }
      #expect(failures.map(\.item.path) == ["ramp 2 2000 unknown"])
      #expect((failures[0].error as? SoundFileError)?.kind == .unsupported)
      break
    }
  }

  @Test func `a turn in what does not tell its length goes on with the item before, from its end`()
  {
    let playback = ReversedPlayback(["ramp 1 2000", "ramp 2 4000 unknown"])
    playback.player.play()
    _ = playback.pull(3_000)
    playback.offline.splicing { playback.player.rate = -1 }
    let heard = playback.pullToEnd()
    #expect(heard.count == 2_000)
    playback.expect(heard, isItem: 1, downFrom: 1_999, skipping: Self.fade)
  }
}
