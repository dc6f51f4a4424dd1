// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import TestFixtures
import Testing

/// Loops that are shorter than any buffer: each time round is a passage of its own.
@Suite struct ShortLoopTests {
  /// What is heard of a loop of `range` from frame `frame` on, and the frame that follows.
  private func heard(_ count: Int, from frame: Int, in range: Range<Int>) -> ([Int], next: Int) {
    var (frames, frame) = ([Int](), frame)
    for _ in 0..<count {
      frames.append(frame)
      frame = frame + 1 == range.upperBound ? range.lowerBound : frame + 1
    }
    return (frames, frame)
  }

  /// 10 ms of `RampSource`, the shortest loop that there is, and a shorter one, which is as long.
  @Test(arguments: [(20, 20), (2, 2), (1, 2)])
  func `a loop of 10 ms, or of 1, is exact, and goes on behind itself once it is ended`(
    asked: Int, length: Int
  ) throws {
    let playback = OfflinePlayback(
      ["ramp 1 6000", "ramp 2 500"],
      format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), fade: .none,
      decoder: OpeningGate().decoder)
    let loop = 1_500..<(1_500 + length)
    playback.player.play()
    #expect(playback.pull(1_000) == (0..<1_000).map { RampSource.sample(1, $0) })
    playback.player.setLoop(
      from: EditedPlayback.time(loop.lowerBound),
      to: EditedPlayback.time(loop.lowerBound + asked))
    playback.settle()
    let (frames, next) = heard(5_010, from: 1_000, in: loop)
    #expect(playback.pull(5_010) == frames.map { RampSource.sample(1, $0) })
    // At the end of a time round that nothing follows yet it would go on behind the loop.
    playback.waitForContent(upTo: 6_100)
    playback.player.endLoop()
    playback.settle()
    let rest =
      (next..<6_000).map { RampSource.sample(1, $0) } + (0..<500).map { RampSource.sample(2, $0) }
    try #require(playback.pull(rest.count) == rest)
    #expect(playback.pullToEnd().isEmpty)
    #expect(playback.renderer.underrunCount == 0)
  }

  /// At the rates of real files a second of it is up to a thousand passages.
  @Test(arguments: [480, 48])
  func `a loop of 10 ms, or of 1 ms, of a file at 48 kHz is exact`(length: Int) throws {
    let uncut = try Fixtures.samples("cut/uncut.flac")
    let playback = OfflinePlayback([Fixtures.path("cut/uncut.flac")], fade: .none)
    let loop = 12_000..<(12_000 + length)
    let time = { (frame: Int) in MediaTime(value: Int64(frame), timescale: 48_000) }
    playback.player.play()
    _ = playback.pull(1_000)
    playback.player.setLoop(from: time(loop.lowerBound), to: time(loop.upperBound))
    playback.settle()
    let (frames, next) = heard(40_000, from: 1_000, in: loop)
    let expected: [Float] = frames.flatMap { [uncut[2 * $0], uncut[2 * $0 + 1]] }
    #expect(firstDifference(playback.pull(40_000), expected) == nil)
    playback.waitForContent(upTo: 42_000)
    playback.player.endLoop()
    playback.settle()
    #expect(
      firstDifference(playback.pull(40_000), Array(uncut[(2 * next)..<(2 * next + 80_000)])) == nil)
  }
}
