// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestServers
import Testing

@Suite struct FailureTests {
  @Test func `no such sink is an error at once`() async throws {
    try await onOwnThread {
      let address = try PrivatePulseServer.shared.address
      let start = HostTime.now
      let error = #expect(throws: PulseError.self) {
        _ = try PulseAudioRenderer(device: "no-such-sink", server: address)
      }
      #expect(
        error.map { "\($0)".contains("no-such-sink") } == true, "\(String(describing: error))")
      #expect(HostTime.now - start < 2_000_000_000)
    }
  }

  @Test func `no server is an error at once`() async throws {
    try await onOwnThread {
      let start = HostTime.now
      let error = #expect(throws: PulseError.self) {
        _ = try PulseAudioRenderer(server: "unix:/nonexistent/attacca")
      }
      #expect(error?.isServerMissing == true)
      #expect(HostTime.now - start < 2_000_000_000)
    }
  }

  @Test func `a server that is killed ends playing with an event, and the player can go`()
    async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      let server = try PrivatePulseServer()
      weak var gone: SampleBufferPlayer?
      do {
        let playback = try ServerPlayback(
          server, [sound.numbered(1, frames: 5 * 48_000), sound.numbered(2, frames: 48_000)])
        playback.player.play()
        try playback.waitUntilHeard(frame: 30_000)
        server.signal(SIGKILL)
        try playback.events.wait("the failure") { $0.hasPrefix("over: ") }
        #expect(playback.renderer.status == .failed)
        #expect(playback.renderer.error is PulseError)
        #expect(playback.player.rate == 0)
        // None of these may hang or crash.
        playback.player.play()
        playback.player.seek(to: .zero)
        playback.player.pause()
        playback.renderer.volume = 0.5
        _ = playback.player.currentTime
        playback.player.stop()
        gone = playback.player
      }
      // What it had under way lets it go within a moment.
      let end = HostTime.now + 5_000_000_000
      while gone != nil, HostTime.now < end { sched_yield() }
      #expect(gone == nil)
      server.stop()
    }
  }

  @Test func `a sink that is removed ends playing with an event`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let server = try PrivatePulseServer()
      let playback = try ServerPlayback(server, [sound.numbered(1, frames: 5 * 48_000)])
      playback.player.play()
      try playback.waitUntilHeard(frame: 30_000)
      try server.control(["unload-module", "module-null-sink"])
      try playback.events.wait("the failure") { $0.hasPrefix("over: ") }
      #expect(playback.renderer.status == .failed)
      playback.capture.stop()
      server.stop()
    }
  }
}
