// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import TestFixtures
import Testing

/// Ends that a sleep timer has at a moment: the moments are told by the test.
@Suite struct SleepAlarmTests {
  private static let fade = Fade.standard.frames(at: RampSource.rate)
  private let run = GapPlayback([6_000, 6_000], gap: 0)
  private var player: SampleBufferPlayer { run.player }
  private var serializer: SampleBufferSerializer { player.serializer }

  /// Plays `frames` frames with a timer of an hour, half of which is a fade.
  private func begin(at frames: Int, fade: Int64 = 1_800) {
    player.sleepTimer = SleepTimer(
      .after(MediaTime(value: 3_600, timescale: 1)), fade: MediaTime(value: fade, timescale: 1))
    player.play()
    _ = run.pull(frames)
    run.offline.settle()
  }

  private func reachFade() {
    serializer.queue.sync { serializer.beginSleepFade() }
    run.offline.settle()
  }

  private func reachEnd() {
    serializer.queue.sync { serializer.fallAsleep() }
    run.offline.settle()
    wait { player.rate == 0 }
  }

  @Test func `the time that is left is told, and none where none is set`() throws {
    #expect(player.timeToSleep == nil)
    begin(at: 100)
    let left = try #require(player.timeToSleep)
    #expect(left > .zero && left <= MediaTime(value: 3_600, timescale: 1))
    player.sleepTimer = nil
    #expect(player.timeToSleep == nil)
  }

  @Test func `without a fade it pauses where it is`() {
    begin(at: 1_000, fade: 0)
    reachEnd()
    #expect(player.sleepTimer == nil)
    #expect(!player.isPlaying)
    #expect(player.renderer.volumeAutomation.isEmpty)
    let out = run.offline.renderer.pullOnce(100)
    #expect(out.dropFirst(Self.fade).allSatisfy { $0 == 0 })
    player.play()
    run.offline.settle()
    // Of the frames of the pause's fade none is lost.
    let heard = run.pull(1_000)
    let first = RampSource.sample(1, 1_000)
    #expect(heard[Self.fade..<1_000].allSatisfy { $0 >= first })
    #expect(zip(heard[Self.fade...], heard[(Self.fade + 1)...]).allSatisfy { $1 - $0 == 1 })
  }

  @Test func `the fade is a straight line, over as many items as it takes, and is heard again`() {
    begin(at: 5_000)
    reachFade()
    // 1,800 s are 3,600,000 frames.
    let heard = run.pull(4_000)
    let whole =
      GapPlayback.item(1, 5_000..<6_000) + GapPlayback.item(2, 0..<3_000)
    let wrong = zip(heard, whole).enumerated().first { place, pair in
      let factor = 1 - Double(place) / 3_600_000
      return abs(Double(pair.0) - Double(pair.1) * factor) > 0.05
    }
    #expect(wrong == nil, "\(wrong!)")
    run.waitForItem(2)
    reachEnd()
    let out = run.offline.renderer.pullOnce(200)
    #expect(out.dropFirst(Self.fade).allSatisfy { $0 == 0 })
    player.play()
    run.offline.settle()
    let again = run.pull(4_000)
    #expect(
      firstDifference(Array(again.dropFirst(Self.fade)), Array(whole.dropFirst(Self.fade))) == nil)
    #expect(player.renderer.volumeAutomation.isEmpty)
  }

  @Test func `another speed has the fade end at the same moment`() throws {
    begin(at: 1_000)
    reachFade()
    _ = run.pull(100)
    player.rate = 2
    run.offline.settle()
    let automation = player.renderer.volumeAutomation
    // Real time goes on by an unknown moment: what is left is at most half an hour, twice as much of the content.
    let end = MediaTime(value: 3_600 + 1, timescale: 1)
    #expect(automation.volume(at: end) == 0)
    #expect(automation.volume(at: MediaTime(value: 1_800, timescale: 1)) > 0.45)
  }

  @Test func `a seek in the fade takes the timer off, and the volume is back`() {
    begin(at: 1_000)
    reachFade()
    _ = run.pull(100)
    run.offline.splicing { player.seek(to: .zero) }
    #expect(player.sleepTimer == nil)
    #expect(player.renderer.volumeAutomation.isEmpty)
    let heard = run.pull(500)
    #expect(
      firstDifference(
        Array(heard.dropFirst(Self.fade)), Array(GapPlayback.item(1, Self.fade..<500))) == nil)
  }

  @Test func `a seek before the fade leaves the timer on`() {
    begin(at: 1_000)
    run.offline.splicing { player.seek(to: .zero) }
    #expect(player.sleepTimer != nil)
    reachEnd()
    #expect(!player.isPlaying)
  }

  @Test func `paused, the timer ends and changes nothing else`() {
    begin(at: 1_000)
    player.pause()
    run.offline.settle()
    reachFade()
    serializer.queue.sync { serializer.fallAsleep() }
    run.offline.settle()
    #expect(player.sleepTimer == nil)
    #expect(1_000...1_000 + Int64(Self.fade) ~= run.offset)
  }

  @Test func `a timer that is taken back in its fade gives the volume back`() {
    begin(at: 1_000)
    reachFade()
    _ = run.pull(100)
    player.sleepTimer = nil
    run.offline.settle()
    wait { player.renderer.volumeAutomation.isEmpty }
    let heard = run.pull(500)
    #expect(
      firstDifference(
        Array(heard.dropFirst(Self.fade)),
        Array(GapPlayback.item(1, (1_100 + Self.fade)..<1_600))) == nil)
  }
}
