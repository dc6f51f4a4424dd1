// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestFixtures
import Testing

@Suite struct GaplessAlbumTests {
  @Test func `a cut album of four lossless formats renders as the uncut original`() throws {
    let heard = OfflinePlayback(try Fixtures.playlist("cut/cut.m3u8")).playToEnd()
    #expect(firstDifference(heard, try Fixtures.samples("cut/uncut.flac")) == nil)
  }

  @Test func `pausing without a fade and going on loses and adds nothing`() throws {
    let playback = OfflinePlayback(try Fixtures.playlist("cut/cut.m3u8"), fade: .none)
    playback.player.play()
    var heard = playback.pull(123_457)
    for _ in 0..<5 {
      playback.player.pause()
      playback.player.play()
      heard += playback.pull(30_011)
    }
    playback.renderer.renderToEnd { heard.append(contentsOf: $0) }
    #expect(firstDifference(heard, try Fixtures.samples("cut/uncut.flac")) == nil)
  }
}
