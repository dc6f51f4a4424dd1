// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestSeeds
import Testing

/// Silences in parts of an item that have ends of their own: loops and sleep timers.
@Suite struct SilenceStretchTests {
  private static let fade = Fade.standard.frames(at: PatchySource.rate)

  @Test(arguments: 0..<20)
  func `a loop has its own silences shortened, the same each time round`(seed: Int) {
    let run = SilencePlayback([9_000])
    var random = SplitMix64(seed: UInt64(seed))
    let start = Int.random(in: 0..<7_000, using: &random)
    let end = Int.random(in: (start + 100)...9_000, using: &random)
    run.player.jump(to: 0, offset: SilencePlayback.time(start))
    run.player.play()
    _ = run.offline.pull(1)
    wait { run.player.currentSpan != nil }
    run.player.setLoop(from: SilencePlayback.time(start), to: SilencePlayback.time(end))
    run.offline.settle()
    let round = run.models[0].heard(start..<end)
    let heard = run.offline.pull(3 * round.count - 1)
    // A start fades in.
    #expect(
      run.models[0].difference(
        Array(heard.prefix(round.count - 1)), Array(round.dropFirst()), behind: Self.fade) == nil,
      "seed \(seed), \(start) to \(end)")
    for time in 1...2 {
      let again = Array(heard.dropFirst(time * round.count - 1).prefix(round.count))
      #expect(
        run.models[0].difference(again, round) == nil, "seed \(seed), \(start) to \(end), \(time)")
    }
  }

  @Test(arguments: [0, 500, 2_000])
  func `asleep, the chapter's last frame was the last one, and what was faded is heard again`(
    length: Int
  ) {
    let run = SilencePlayback([12_000])
    let end = PatchySource.chapterFrames(12_000)[3]
    run.player.jump(to: 0, offset: SilencePlayback.time(end - 900))
    run.player.play()
    _ = run.offline.pull(1)
    wait { run.player.currentChapter != nil }
    run.player.sleepTimer = SleepTimer(.chapter, fade: SilencePlayback.time(length))
    run.offline.settle()
    let frames = run.models[0].heard((end - 900)..<end)
    let heard = run.offline.pull(frames.count - 1)
    // Faded or not, each frame is no louder than it is, and the last ones of a fade are nearly silent.
    if length == 0 {
      #expect(run.models[0].difference(heard, Array(frames.dropFirst())) == nil)
    } else {
      #expect(heard.last! < PatchySource.sample(1, end) * 0.01)
    }
    wait {
      _ = run.offline.renderer.pullOnce(10)
      return run.player.sleepTimer == nil && run.player.rate == 0
    }
    run.offline.settle()
    #expect(run.player.currentTime == SilencePlayback.time(end - length))
    run.player.play()
    let again = run.models[0].heard(from: end - length)
    #expect(
      run.models[0].difference(run.offline.pullToEnd(), again, behind: Self.fade) == nil)
  }
}
