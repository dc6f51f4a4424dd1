// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestServers
import Testing

@Suite struct FailureTests {
  @Test func `no such sink is an error at once`() async throws {
    try await onOwnThread {
      let address = try TestedServer.shared.address
      let start = HostTime.now()
      let error = #expect(throws: PulseError.self) {
        _ = try PulseAudioRenderer(device: "no-such-sink", server: address)
      }
      #expect(
        error.map { "\($0)".contains("no-such-sink") } == true, "\(String(describing: error))")
      #expect(HostTime.now() - start < 2_000_000_000)
    }
  }

  @Test func `no server is an error at once`() async throws {
    try await onOwnThread {
      let start = HostTime.now()
      let error = #expect(throws: PulseError.self) {
        _ = try PulseAudioRenderer(server: "unix:/nonexistent/attacca")
      }
      #expect(error?.isServerMissing == true)
      #expect(HostTime.now() - start < 2_000_000_000)
    }
  }

  @Test func `a player whose server is gone obeys, and can go`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let server = try TestedServer.make()
      weak var gone: SampleBufferPlayer?
      do {
        let playback = try ServerPlayback(
          server, [sound.numbered(1, frames: 5 * 48_000), sound.numbered(2, frames: 48_000)])
        playback.player.play()
        try playback.waitUntilHeard(frame: 30_000)
        server.signal(SIGKILL)
        try playback.events.wait("the loss") { $0 == "lost" }
        #expect(playback.renderer.status == .rendering)
        #expect(playback.renderer.error == nil)
        #expect(playback.player.rate == 1)
        // None of these may hang or crash, and what they ask for is so at once.
        playback.player.pause()
        try playback.events.wait("the pause") { $0 == "rate 0" }
        playback.player.play()
        try playback.events.wait("the start", count: 2) { $0 == "rate 1" }
        playback.player.next()
        try playback.events.wait("the next item") { $0 == "current 2.wav" }
        #expect(playback.player.currentTime == .zero)
        playback.renderer.volume = 0.5
        playback.player.stop()
        try playback.events.wait("the end") { $0 == "current nil" }
        gone = playback.player
      }
      // What it had under way lets it go within a moment.
      let end = HostTime.now() + 5_000_000_000
      while gone != nil, HostTime.now() < end { sched_yield() }
      #expect(gone == nil)
      server.stop()
    }
  }
}
