// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
import TestServers
import Testing

@Suite struct LongListTests {
  @Test func `edits of a million items at low latency cause no underrun`() async throws {
    try await onOwnThread {
      // To build it in a debug build takes seconds of a core that others here count on.
      let seats = Seat(taking: Seat.all)
      let sound = try TestSound()
      let lengths = [8 * 48_000, 48_000]
      let playback = try ServerPlayback(
        TestedServer.shared, latency: .low, seat: seats)
      let (first, second) = (
        PlaylistItem(path: try sound.numbered(1, frames: lengths[0])),
        PlaylistItem(path: try sound.numbered(2, frames: lengths[1]))
      )
      let others = (0..<1_000_000).map { _ in PlaylistItem(path: "nothing.wav") }
      let playlist = playback.player.playlist
      playlist.replaceAll(with: [first, second] + others)
      playback.player.play()
      try playback.waitUntilHeard(frame: 24_000)
      // Just behind the item that is heard, and further and further ahead. They take 2 s; where the
      // machine is busy there are fewer, so that all of them come before the joint.
      let end = MediaTime(value: 6, timescale: 1)
      for i in 0..<40 where playback.player.synchronizer.currentTime() < end {
        let item = PlaylistItem(path: "nothing.wav")
        playlist.insert(item, at: 1 + i * 24_990)
        playlist.move(from: 1_000_000 - i, to: 1 + i * 20_000)
        try playlist.remove(item.id)
        try playback.listen(frames: 2_400)
      }
      // What cannot be played behind the second item is not of interest.
      playlist.replaceAll(with: [first, second])
      let heard = Heard.trimmed(try playback.finish())
      #expect(heard == [.frames(item: 1, 0..<lengths[0]), .frames(item: 2, 0..<lengths[1])])
      #expect(playback.renderer.underrunCount == 0)
    }
  }
}
