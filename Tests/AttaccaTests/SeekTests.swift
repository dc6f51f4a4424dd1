// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

@Suite struct SeekTests {
  @Test func `a seek without a fade goes on with exactly the frame asked for`() throws {
    let uncut = try Fixtures.samples("cut/uncut.flac")
    let playback = OfflinePlayback([Fixtures.path("cut/uncut.flac")], fade: .none)
    playback.player.play()
    _ = playback.pull(10_000)
    var generator = SplitMix64(seed: 7)
    for _ in 0..<20 {
      let frame = Int.random(in: 0..<(uncut.count / 2 - 5_000), using: &generator)
      playback.splicing {
        playback.player.seek(to: MediaTime(value: Int64(frame), timescale: 48_000))
      }
      let heard = playback.pull(4_000)
      #expect(firstDifference(heard, Array(uncut[frame * 2..<(frame + 4_000) * 2])) == nil)
    }
  }

  @Test func `a seek in converted audio goes on with what uninterrupted playing gives there`()
    throws
  {
    let path = Fixtures.path("album/01 flac.flac")
    let whole = OfflinePlayback([path]).playToEnd()
    let playback = OfflinePlayback([path], fade: .none)
    playback.player.play()
    _ = playback.pull(10_000)
    var generator = SplitMix64(seed: 8)
    for _ in 0..<20 {
      // Whole frames of the file: 147 of its 44,100 a second are 160 of the stream's 48,000.
      let step = Int.random(in: 0..<850, using: &generator)
      playback.splicing {
        playback.player.seek(to: MediaTime(value: Int64(step * 147), timescale: 44_100))
      }
      let heard = playback.pull(4_000)
      let from = step * 160
      #expect(firstDifference(heard, Array(whole[from * 2..<(from + 4_000) * 2])) == nil)
    }
  }

  @Test func `with a fade the frames after it are exact, and no step is larger than the fade's`()
    throws
  {
    let uncut = try Fixtures.samples("cut/uncut.flac")
    let playback = OfflinePlayback([Fixtures.path("cut/uncut.flac")])
    playback.player.play()
    _ = playback.pull(10_000)
    playback.splicing { playback.player.seek(to: MediaTime(value: 200_000, timescale: 48_000)) }
    let heard = playback.pull(4_000)
    #expect(
      firstDifference(Array(heard[480...]), Array(uncut[(200_240 * 2)..<(204_000 * 2)])) == nil)
    // What fades out is what was going to be played.
    #expect(abs(heard[0] - uncut[10_000 * 2]) < 0.01)
  }

  @Test func `next plays the next item at once, previous goes back`() throws {
    let paths = try Fixtures.playlist("cut/cut.m3u8")
    let playback = OfflinePlayback(paths, fade: .none)
    playback.player.play()
    _ = playback.pull(1_000)
    playback.splicing { playback.player.next() }
    let second = try Fixtures.samples("cut/" + paths[1].split(separator: "/").last!)
    #expect(firstDifference(playback.pull(1_000), Array(second[..<2_000])) == nil)
    playback.splicing { playback.player.previous() }
    let first = try Fixtures.samples("cut/" + paths[0].split(separator: "/").last!)
    #expect(firstDifference(playback.pull(1_000), Array(first[..<2_000])) == nil)
  }

  @Test func `a seek past the end ends the item, one before the start begins it`() throws {
    let paths = try Fixtures.playlist("cut/cut.m3u8")
    let playback = OfflinePlayback(Array(paths[..<2]), fade: .none)
    playback.player.play()
    _ = playback.pull(1_000)
    playback.splicing { playback.player.seek(to: MediaTime(value: -5, timescale: 1)) }
    let first = try Fixtures.samples("cut/" + paths[0].split(separator: "/").last!)
    #expect(firstDifference(playback.pull(1_000), Array(first[..<2_000])) == nil)
    playback.splicing { playback.player.seek(to: MediaTime(value: 500, timescale: 1)) }
    let second = try Fixtures.samples("cut/" + paths[1].split(separator: "/").last!)
    #expect(firstDifference(playback.pull(1_000), Array(second[..<2_000])) == nil)
  }
}
