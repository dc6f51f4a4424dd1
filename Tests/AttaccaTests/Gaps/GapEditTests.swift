// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import Testing

/// Edits of silence between items, and within it: it lies between frames 3,000 and 7,000.
@Suite struct GapEditTests {
  private typealias Playback = GapPlayback

  private static let fade = Fade.standard.frames(at: RampSource.rate)
  private let run = GapPlayback([3_000, 2_500, 2_000], gap: 4_000)
  private var player: SampleBufferPlayer { run.player }

  /// What is heard from `frame` on, where `edit` is made.
  private func heard(from frame: Int, after edit: (SampleBufferPlayer) throws -> Void) rethrows
    -> [Float]
  {
    player.play()
    _ = run.pull(frame)
    run.waitForItem(frame <= 3_000 ? 1 : 2)
    try edit(player)
    run.offline.settle()
    return run.offline.pullToEnd()
  }

  private func item(_ number: Int) -> [Float] {
    Playback.item(number, 0..<[3_000, 2_500, 2_000][number - 1])
  }

  @Test(arguments: [100, 2_500, 2_990], [0, 1, 3_000, 9_000])
  func `a change is heard in silence that has not begun`(frame: Int, gap: Int) {
    let heard = heard(from: frame) { $0.gap = Playback.time(gap) }
    expectFrames(
      heard,
      is: item(1)[frame...] + Playback.silence(gap) + item(2) + Playback.silence(gap) + item(3))
  }

  @Test(arguments: [3_001, 5_000, 6_990], [0, 9_000])
  func `a change leaves silence alone that has begun`(frame: Int, gap: Int) {
    let heard = heard(from: frame) { $0.gap = Playback.time(gap) }
    expectFrames(
      heard, is: Playback.silence(7_000 - frame) + item(2) + Playback.silence(gap) + item(3))
  }

  @Test(arguments: [100, 2_990])
  func `what was to follow is removed, and another item follows behind its own silence`(frame: Int)
  {
    let heard = heard(from: frame) { $0.playlist.remove(at: 1) }
    expectFrames(heard, is: item(1)[frame...] + Playback.silence(4_000) + item(3))
  }

  @Test(arguments: [100, 2_990])
  func `everything behind is removed, and no silence is heard`(frame: Int) {
    let heard = heard(from: frame) { $0.playlist.remove(1..<3) }
    expectFrames(heard, is: Array(item(1)[frame...]))
  }

  @Test func `an item behind the last one has silence in front`() {
    player.playlist.remove(1..<3)
    let heard = heard(from: 2_900) { $0.playlist.append(PlaylistItem(path: "ramp 2 2500")) }
    expectFrames(heard, is: item(1)[2_900...] + Playback.silence(4_000) + item(2))
  }

  @Test(arguments: [3_001, 6_990])
  func `the item behind the silence is removed in it, and the next one begins`(frame: Int) {
    let heard = heard(from: frame) { $0.playlist.remove(at: 1) }
    expectFrames(heard, is: item(3), behind: Self.fade)
  }

  @Test(arguments: [3_001, 6_990])
  func `the item in front of the silence is removed in it, and nothing differs`(frame: Int) {
    let heard = heard(from: frame) { $0.playlist.remove(at: 0) }
    expectFrames(
      heard, is: Playback.silence(7_000 - frame) + item(2) + Playback.silence(4_000) + item(3))
  }

  @Test func `next, previous and a seek in the silence begin items without it`() {
    player.play()
    _ = run.pull(4_000)
    run.waitForItem(2)
    run.offline.splicing { player.previous() }
    expectFrames(run.pull(1_000), is: Array(item(1)[..<1_000]), behind: Self.fade)
    _ = run.pull(2_500)
    run.waitForItem(2)
    run.offline.splicing { player.seek(to: .zero) }
    expectFrames(run.pull(1_000), is: Array(item(2)[..<1_000]), behind: Self.fade)
    _ = run.pull(2_000)
    run.waitForItem(3)
    run.offline.splicing { player.seek(by: Playback.time(4_500)) }
    // 500 frames of silence were over.
    expectFrames(run.pull(500), is: Array(item(3)[1_000..<1_500]), behind: Self.fade)
    _ = run.offline.pullToEnd()
  }

  @Test func `next in the silence goes to the item behind the one that is current`() {
    let heard = heard(from: 4_000) { player in run.offline.splicing { player.next() } }
    expectFrames(heard, is: item(3), behind: Self.fade)
  }

  @Test func `a pause in the silence goes on where it stopped`() {
    let heard = heard(from: 4_000) { player in
      player.pause()
      run.offline.settle()
      _ = run.pull(Self.fade)
      #expect(run.offset == -3_000)
      player.play()
    }
    expectFrames(heard, is: Playback.silence(3_000) + item(2) + Playback.silence(4_000) + item(3))
  }

  @Test(arguments: [100, 4_000])
  func `playing stops behind the current item, which is the one behind the silence in it`(
    frame: Int
  ) {
    let heard = heard(from: frame) { $0.stopAfterCurrent() }
    expectFrames(
      heard,
      is: frame < 3_000 ? Array(item(1)[frame...]) : Playback.silence(7_000 - frame) + item(2))
  }

  @Test(arguments: [100, 4_000])
  func `a flush in the silence or in front of it changes nothing that follows`(frame: Int) {
    let heard = heard(from: frame) { $0.renderer.flush() }
    let rest =
      frame < 3_000
      ? Array(item(1)[frame...]) + Playback.silence(4_000) : Playback.silence(7_000 - frame)
    // What was heard fades out, and what was discarded begins behind that.
    expectFrames(
      Array(heard.dropFirst(Self.fade)), is: rest + item(2) + Playback.silence(4_000) + item(3),
      behind: Self.fade)
  }

  // MARK: Backwards

  @Test func `a list backwards has the same silence`() {
    player.defaultRate = -1
    let heard = run.offline.playToEnd()
    expectFrames(
      heard,
      is: item(3).reversed() + Playback.silence(4_000) + item(2).reversed()
        + Playback.silence(4_000) + item(1).reversed())
  }

  @Test func `backwards the item behind the silence stays current in it, and counts on below zero`()
  {
    player.defaultRate = -1
    player.play()
    _ = run.pull(2_000)
    run.waitForItem(3)
    #expect(run.offset == 0)
    _ = run.pull(1_500)
    #expect(player.currentItem?.path == "ramp 3 2000")
    #expect(run.offset == -1_500)
    _ = run.pull(2_500 + 100)
    run.waitForItem(2)
    #expect(run.offset == 2_400)
  }

  @Test(arguments: [2_500, 2_999, 3_001, 4_000, 6_999, 7_100])
  func `a turn in the silence or near it goes back over the same frames`(place: Int) {
    player.play()
    _ = run.pull(place)
    run.playback.turn(to: -1)
    let all = item(1) + Playback.silence(4_000) + item(2)
    expectFrames(run.offline.pullToEnd(), is: all[..<place].reversed(), behind: Self.fade)
  }

  @Test(arguments: [1_900, 2_001, 4_000, 5_999, 6_100])
  func `a turn back in the silence goes forth over the same frames`(place: Int) {
    player.defaultRate = -1
    player.play()
    _ = run.pull(place)
    run.playback.turn(to: 1)
    let all = item(2) + Playback.silence(4_000) + item(3)
    expectFrames(
      run.offline.pullToEnd(), is: Array(all[(all.count - place)...]), behind: Self.fade)
  }

  @Test(arguments: [100, 1_990, 3_000], [0, 1_500, 9_000])
  func `backwards a change is heard in silence that is not over`(frame: Int, gap: Int) {
    player.defaultRate = -1
    player.play()
    _ = run.pull(frame)
    run.waitForItem(3)
    player.gap = Playback.time(gap)
    run.offline.settle()
    // What was heard of the silence is more than is left of it.
    let first = frame < 2_000 ? gap : max(0, gap - (frame - 2_000))
    let heard = run.offline.pullToEnd()
    let rest = frame < 2_000 ? Array(item(3).reversed()[frame...]) : []
    expectFrames(
      heard,
      is: rest + Playback.silence(first) + item(2).reversed() + Playback.silence(gap)
        + item(1).reversed(), behind: frame < 2_000 ? 0 : Self.fade)
  }

  @Test func `backwards everything in front is removed, and no silence is heard`() {
    player.defaultRate = -1
    player.play()
    _ = run.pull(1_900)
    run.waitForItem(3)
    player.playlist.remove(0..<2)
    run.offline.settle()
    expectFrames(run.offline.pullToEnd(), is: item(3)[..<100].reversed())
  }

  // It turns round beyond the end of item 2, in item 3, of which nothing is heard then.
  @Test func `an item that was turned round in, unheard, may be the one that follows`() {
    player.play()
    _ = run.pull(9_490)
    run.waitForItem(2)
    run.playback.turn(to: -1)
    _ = run.pull(2_490 + 100)
    player.playlist.move(from: 1, to: 2)
    run.offline.settle()
    expectFrames(run.pull(3_900 + 500), is: Playback.silence(3_900) + item(3).reversed()[..<500])
    run.waitForItem(3)
    player.playlist.append(PlaylistItem(path: "ramp 4 1000"))
    run.offline.settle()
    player.playlist.remove(at: 2)
    run.offline.settle()
    expectFrames(
      run.offline.pullToEnd(),
      is: item(3).reversed()[500...] + Playback.silence(4_000) + item(1).reversed())
  }
}
