// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import TestFixtures
import Testing

@Suite struct EditAheadTests {
  /// Short items, several of which are ahead of what is heard.
  @Test func `a second edit finds what the first has left as it was`() throws {
    let uncut = try Fixtures.samples("cut/uncut.flac")
    let playback = OfflinePlayback(try Fixtures.playlist("cut/cut.m3u8"), fade: .none)
    let (playlist, renderer) = (playback.player.playlist, playback.renderer)
    func generation() -> Int { renderer.output.withLock { renderer.line.generation } }
    playback.player.play()
    // The fourth item begins at frame 203,335, and is enqueued by now or soon.
    let before = playback.pull(134_400)
    for _ in 0..<1_000_000 where renderer.output.withLock({ renderer.line.contentEnd }) < 206_000 {
      sched_yield()
    }
    let old = generation()
    _ = playlist.replace(at: 3, with: PlaylistItem(path: playlist[3].path))
    // Usually it has been spliced in by then; where not, the second edit comes before the first is done.
    for _ in 0..<1_000_000 where generation() == old { sched_yield() }
    playlist.append(PlaylistItem(path: playlist[0].path))
    var heard = before
    renderer.renderToEnd { heard.append(contentsOf: $0) }
    let first = try Fixtures.samples("cut/01.flac")
    #expect(firstDifference(heard, uncut + first) == nil)
  }
}
