// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

@Suite struct LongListTests {
  @Test func `edits of a million items at low latency cause no underrun`() async throws {
    try await onOwnThread {
      // To build it in a debug build takes seconds of a core that others here count on.
      let seats = (0..<9).map { _ in Seat() }
      defer { withExtendedLifetime(seats) {} }
      let sound = try TestSound()
      let length = 5 * 48_000
      let playback = try ServerPlayback(PrivatePulseServer.shared, latency: .low)
      let (first, second) = (
        PlaylistItem(path: try sound.numbered(1, frames: length)),
        PlaylistItem(path: try sound.numbered(2, frames: length))
      )
      let others = (0..<1_000_000).map { _ in PlaylistItem(path: "nothing.wav") }
      let playlist = playback.player.playlist
      playlist.replaceAll(with: [first] + others)
      playback.player.play()
      try playback.waitUntilHeard(frame: 24_000)
      // Far ahead, just behind the item that is heard, and far ahead again, at one place after the
      // other; about once a millisecond.
      for i in 0..<2_000 {
        let item = PlaylistItem(path: "nothing.wav")
        playlist.insert(item, at: 1 + i * 499)
        playlist.move(from: 1_000_000 - i, to: 1 + i * 401)
        if i % 10 == 0 {
          try playlist.remove(item.id)
          try playback.listen(frames: 480)
        }
      }
      playlist.insert(second, at: 1)
      // What cannot be played behind the second item is not of interest.
      playlist.replaceAll(with: [first, second])
      let heard = Heard.trimmed(try playback.finish())
      #expect(heard == [.frames(item: 1, 0..<length), .frames(item: 2, 0..<length)])
      #expect(playback.renderer.underrunCount == 0)
    }
  }
}
