// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestServers
import Testing

/// What a player does to its process, in processes of their own.
@Suite struct ProcessTests {
  @Test func `fifty players leave no thread and no file behind`() async {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      let sink = try server.makeSink()
      let sound = try TestSound()
      let path = try sound.numbered(1, frames: 48_000)
      var start = (files: 0, threads: 0)
      for cycle in 0..<55 {
        // The first ones load what the libraries keep for good.
        if cycle == 5 { start = settled(below: nil) }
        let renderer = try PulseAudioRenderer(device: sink, server: server.address)
        let player = SampleBufferPlayer(renderer: renderer)
        player.playlist.append(PlaylistItem(path: path))
        if cycle % 3 > 0 { player.play() }
        if cycle % 3 > 1 {
          let crossed = DispatchSemaphore(value: 0)
          let observation = player.synchronizer.addBoundaryTimeObserver(
            forTimes: [MediaTime(value: 1_000, timescale: 48_000)], queue: .global()
          ) { crossed.signal() }
          precondition(crossed.wait(timeout: .now() + 10) == .success, "nothing is heard")
          observation.cancel()
        }
      }
      let end = settled(below: start)
      precondition(
        end.files <= start.files && end.threads <= start.threads, "\(start) before, \(end) after")
    }
  }

  @Test func `two hundred reconnects leave no thread and no file behind`() async {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      let sink = try server.makeSink()
      let door = server.address.dropFirst("unix:".count) + "2"
      let open = [
        "load-module", "module-native-protocol-unix", "auth-anonymous=1", "socket=\(door)",
      ]
      var module = try server.control(open)
      let sound = try TestSound()
      let renderer = try PulseAudioRenderer(device: sink, server: "unix:\(door)")
      let player = SampleBufferPlayer(renderer: renderer)
      let events = EventLog(player.events)
      player.playlist.append(PlaylistItem(path: try sound.numbered(1, frames: 20 * 48_000)))
      player.play()
      var start = (files: 0, threads: 0)
      for cycle in 0..<205 {
        if cycle == 5 { start = settled(below: nil) }
        // The server closes every connection that came through this door.
        try server.control(["unload-module", module])
        module = try server.control(open)
        try events.wait("return \(cycle)", count: cycle + 1) { $0 == "returned" }
      }
      let end = settled(below: start)
      precondition(
        end.files <= start.files && end.threads <= start.threads, "\(start) before, \(end) after")
      player.stop()
      server.stop()
    }
  }

  @Test func `power saving wakes the audio thread a few times a second and never underruns`()
    async
  {
    await #expect(processExitsWith: .success) {
      let server = try PrivatePulseServer()
      let sink = try server.makeSink()
      let sound = try TestSound()
      let before = Set(threads().map(\.id))
      let renderer = try PulseAudioRenderer(device: sink, server: server.address)
      let mainloop = threads().filter { !before.contains($0.id) }
      precondition(mainloop.count == 1, "\(mainloop) began with the renderer")
      let player = SampleBufferPlayer(renderer: renderer)
      player.playlist.append(PlaylistItem(path: try sound.numbered(1, frames: 14 * 48_000)))
      player.play()
      func wait(seconds: Int64) {
        let crossed = DispatchSemaphore(value: 0)
        let observation = player.synchronizer.addBoundaryTimeObserver(
          forTimes: [MediaTime(value: seconds, timescale: 1)], queue: .global()
        ) { crossed.signal() }
        precondition(crossed.wait(timeout: .now() + 20) == .success, "\(seconds) s are not heard")
        observation.cancel()
      }
      func switches() -> Int {
        threads().first { $0.id == mainloop[0].id }!.switches
      }
      wait(seconds: 2)
      let start = switches()
      wait(seconds: 12)
      let perSecond = Double(switches() - start) / 10
      print("power saving: \(perSecond) wakeups of the audio thread a second")
      // Two requests, each with its timing report and the release of memory blocks.
      precondition(perSecond <= 16, "\(perSecond) wakeups a second")
      precondition(renderer.underrunCount == 0, "\(renderer.underrunCount) underruns")
    }
  }

  @Test func `low latency plays ten seconds`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 10 * 48_000
      let playback = try ServerPlayback(
        PrivatePulseServer.shared, [sound.numbered(1, frames: length)], latency: .low, fade: .none)
      playback.player.play()
      let recording = try playback.finish()
      let underruns = playback.renderer.underrunCount
      print("low latency: \(underruns) underruns in 10 s")
      // A busy machine may be late: then time is lost, but no frame. Where the server had gone into the middle of a write,
      // what was heard of that, 60 ms at most, is heard again.
      let account = Account(recording)
      #expect(account.lost == 0 && account.end == length, "\(account)")
      #expect(account.repeated <= underruns * 2_880, "\(account), \(underruns) underruns")
    }
  }
}

/// The threads of this process with their voluntary context switches.
private func threads() -> [(id: String, switches: Int)] {
  let folder = "/proc/self/task"
  do {
    return try FileManager.default.contentsOfDirectory(atPath: folder).compactMap { id in
      // One that has ended meanwhile is none.
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(id)/status") else {
        return nil
      }
      let line = String(decoding: data, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("voluntary_ctxt_switches") }
      return (id, line.flatMap { Int($0.split(separator: "\t")[1]) } ?? 0)
    }
  } catch { preconditionFailure("\(folder): \(error)") }
}

/// Open files and threads but for dispatch's workers, once they are few enough or 15 s are over:
/// what a player had under way may keep it for a moment.
private func settled(below wanted: (files: Int, threads: Int)?) -> (files: Int, threads: Int) {
  let end = HostTime.now() + 15_000_000_000
  while true {
    let now = (files: count("fd"), threads: count("task"))
    if let wanted {
      if now.files <= wanted.files && now.threads <= wanted.threads { return now }
      if HostTime.now() > end { return now }
    } else {
      return now
    }
    sched_yield()
  }
}

private func count(_ folder: String) -> Int {
  do {
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/" + folder).count
  } catch { preconditionFailure("/proc/self/\(folder): \(error)") }
}
