// SPDX-License-Identifier: Apache-2.0

import Attacca
import SampleBuffers
import TestServers
import Testing

@Suite struct MoveTests {
  @Test func `a stream that the user moves to another sink says so and plays on there`()
    async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(1, frames: 10 * 48_000)])
      let other = try playback.server.makeSink(
        format: AudioFormat(sampleRate: 44_100, layout: .mono))
      playback.player.play()
      try playback.waitUntilHeard(frame: 20_000)
      let input = try SinkInput.all(of: playback)
      try playback.server.control(["move-sink-input", "\(input[0].index)", other])
      try playback.events.wait("the other output") { $0 == "device" }
      let now = Int(playback.player.synchronizer.currentTime().seconds * 48_000)
      try playback.waitUntilHeard(frame: now + 40_000)
      #expect(playback.renderer.status != .failed)
      playback.player.stop()
      try playback.server.removeSink(other)
    }
  }
}
