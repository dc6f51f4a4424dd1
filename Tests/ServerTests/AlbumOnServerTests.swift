// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestFixtures
import TestServers
import Testing

@Suite struct AlbumOnServerTests {
  @Test func `a cut album comes out of the monitor as the uncut original`() async throws {
    let playback = try await onOwnThread {
      try ServerPlayback(PrivatePulseServer.shared, Fixtures.playlist("cut/cut.m3u8"))
    }
    let uncut = try Fixtures.samples("cut/uncut.flac")
    playback.player.play()
    let heard = try await onOwnThread { try playback.capture.sound(count: uncut.count / 2) }
    #expect(firstDifference(heard, uncut) == nil)
    #expect(playback.renderer.underrunCount == 0)
  }
}
