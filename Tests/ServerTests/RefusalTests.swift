// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestServers
import Testing

/// What no waiting changes is a failure; what may come back is waited for.
///
/// On PulseAudio alone: PipeWire wants no cookie, and always has a sink.
@Suite struct RefusalTests {
  private func play(_ address: String, _ sound: TestSound) throws -> (SampleBufferPlayer, EventLog)
  {
    let renderer = try PulseAudioRenderer(
      server: address, applicationName: "attacca tests", mediaName: "refused")
    let player = SampleBufferPlayer(renderer: renderer)
    let events = EventLog(player.events)
    player.playlist.append(PlaylistItem(path: try sound.numbered(1, frames: 20 * 48_000)))
    player.play()
    try events.wait("the start") { $0 == "current 1.wav" }
    return (player, events)
  }

  @Test func `a server that wants another cookie fails its renderer for good`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer()
      _ = try server.makeSink(named: "a")
      let door = try NetworkDoor(server)
      try door.open()
      let sound = try TestSound()
      let (player, events) = try play(door.address, sound)
      try door.shut()
      try events.wait("the loss") { $0 == "lost" }
      #expect(player.renderer.status == .rendering)
      try door.open(wantsCookie: true)
      try events.wait("the failure") { $0.hasPrefix("over: ") }
      #expect(player.renderer.status == .failed)
      #expect((player.renderer.error as? PulseError)?.code == 1)
      #expect(player.currentItem == nil)
      #expect(player.rate == 0)
      #expect(events.sentences.count { $0.hasPrefix("over: ") } == 1)
      // It is so from now on, and said whenever something is to be played.
      player.play()
      try events.wait("the second word", count: 2) { $0.hasPrefix("over: ") }
      #expect(player.rate == 0)
      #expect(player.currentItem == nil)
      server.stop()
    }
  }

  @Test func `a wrong cookie is an error at once that names the address and what to do`()
    async throws
  {
    try await onOwnThread {
      let server = try PrivatePulseServer()
      let door = try NetworkDoor(server)
      try door.open(wantsCookie: true)
      let error = #expect(throws: PulseError.self) {
        _ = try PulseAudioRenderer(server: door.address)
      }
      let text = error.map { "\($0)" } ?? ""
      #expect(text.contains(door.address) && text.contains("PULSE_COOKIE"), "\(text)")
      server.stop()
    }
  }

  @Test func `without any sink it waits, and says so`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer()
      _ = try server.makeSink(named: "a")
      let sound = try TestSound()
      let (player, events) = try play(server.address, sound)
      try server.removeSink("a")
      try events.wait("the loss") { $0 == "lost" }
      try events.wait("the word") { $0 == "route a>none noSuitableRouteForCategory" }
      #expect(player.renderer.status == .rendering)
      #expect(player.rate == 1)
      _ = try server.makeSink(
        named: "a", format: AudioFormat(sampleRate: 44_100, layout: .stereo))
      try events.wait("the return") { $0 == "returned" }
      try events.wait("the route") { $0 == "route none>a newDeviceAvailable" }
      #expect(
        events.sentences.count { $0 == "route a>none noSuitableRouteForCategory" } == 1)
      server.stop()
    }
  }

  @Test func `a sink that comes back otherwise is told as the same one`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer()
      _ = try server.makeSink(named: "a")
      let gate = server.makeGate()
      let sound = try TestSound()
      let (player, events) = try play(gate.address, sound)
      gate.shut()
      try server.removeSink("a")
      try events.wait("the loss") { $0 == "lost" }
      let format = AudioFormat(sampleRate: 44_100, layout: .stereo)
      _ = try server.makeSink(named: "a", format: format)
      gate.open()
      try events.wait("the format") { $0 == "device" }
      try events.wait("the route") { $0 == "route a>a routeConfigurationChange" }
      #expect(player.renderer.format == format)
      server.stop()
    }
  }
}
