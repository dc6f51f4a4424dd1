// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestServers
import Testing

@Suite struct VolumeTests {
  @Test func `volume and mute change in ramps of 5 ms`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      // The right channel is 0.5 throughout.
      let path = try sound.numbered(64, frames: 3 * 48_000)
      let (playback, recording) = try inTime {
        let playback = try ServerPlayback(TestedServer.shared, [path])
        playback.player.play()
        try playback.waitUntilHeard(frame: 20_000)
        playback.renderer.volume = 0.25
        try playback.waitUntilHeard(frame: 45_000)
        playback.renderer.isMuted = true
        try playback.waitUntilHeard(frame: 70_000)
        playback.renderer.isMuted = false
        try playback.waitUntilHeard(frame: 95_000)
        playback.renderer.volume = 1
        return (playback, try playback.finish())
      }
      let start = try playback.capture.firstSoundFrame()
      let right = (0..<3 * 48_000).map { recording[2 * (start + $0) + 1] }
      var levels = [right[0]]
      var ramp = 0
      for n in 1..<right.count where right[n] != right[n - 1] {
        // 0.5 is the signal; 0.75, 0.25, 0.25 and 0.75 are the ways to go in 240 frames.
        #expect(abs(right[n] - right[n - 1]) <= 0.5 * 0.75 / 240 + 1e-6, "at frame \(n)")
        ramp += 1
        if n + 1 == right.count || right[n + 1] == right[n] {
          levels.append(right[n])
          #expect((239...240).contains(ramp), "a ramp of \(ramp) frames")
          ramp = 0
        }
      }
      #expect(levels == [0.5, 0.125, 0, 0.125, 0.5])
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  @Test func `an item's gain changes in a ramp of 5 ms, and a seek does not touch it`()
    async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      // The right channel is 0.5 throughout.
      let (playback, recording) = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared, [sound.numbered(64, frames: 10 * 48_000)], fade: .none)
        let player = playback.player
        player.play()
        try playback.waitUntilHeard(frame: 20_000)
        try player.playlist.setGain(-6, of: player.playlist[0].id)
        try playback.waitUntilHeard(frame: 40_000)
        player.seek(to: MediaTime(value: 300_000, timescale: 48_000))
        try playback.waitUntilHeard(frame: 330_000)
        player.setCurrentGain(-12)
        return (playback, try playback.finish())
      }
      let heard = stride(from: 1, to: recording.count, by: 2).map { recording[$0] }.filter {
        $0 != 0
      }
      let factors = [1, Float(pow(10, -6.0 / 20)), Float(pow(10, -12.0 / 20))]
      var place = 0
      for (from, to) in zip(factors, factors[1...]) {
        while place < heard.count - 1, heard[place + 1] == 0.5 * from { place += 1 }
        let step = (to - from) / Float(240)
        let expected = (0..<240).map { 0.5 * (from + step * Float($0)) }
        try #require(heard.count > place + 240, "\(heard.count) frames, a ramp from \(place) on")
        #expect(
          Array(heard[place..<(place + 240)]) == expected,
          "from \(place) on, \(playback.renderer.lateSpliceCount) late")
        place += 240
        #expect(heard[place] == 0.5 * to)
      }
      #expect(heard[place...].allSatisfy { $0 == 0.5 * factors[2] })
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  @Test func `how soon a change can be heard is less than a tenth of a second on a null sink`()
    async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      let path = try sound.numbered(64, frames: 10 * 48_000)
      // What a machine that stands still takes to answer is what a change takes then.
      for attempt in 1...3 {
        let ((playback, foretold), stood) = try Standstill.during {
          let playback = try ServerPlayback(TestedServer.shared, [path], fade: .none)
          #expect(playback.renderer.earliestChange == .zero)
          playback.player.play()
          let foretold = try (1...5).map {
            try playback.waitUntilHeard(frame: $0 * 20_000)
            return playback.renderer.earliestChange
          }
          _ = try playback.finish()
          return (playback, foretold)
        }
        #expect(playback.renderer.underrunCount == 0)
        #expect(foretold.allSatisfy { $0 > .zero })
        let isSoon = foretold.allSatisfy { $0 < MediaTime(value: 1, timescale: 10) }
        guard !isSoon, stood > .milliseconds(20), attempt < 3 else {
          #expect(isSoon, "\(foretold), \(stood) at most")
          break
        }
        print("not in time: \(foretold), \(stood) at most")
      }
    }
  }

  @Test func `a fade of two seconds goes on over a pause and a seek, exact in every frame`()
    async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      // The right channel is 0.5 throughout.
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(64, frames: 10 * 48_000)], fade: .none)
      let player = playback.player
      let late = LateSplices(of: playback.renderer)
      player.play()
      try playback.waitUntilHeard(frame: 20_000)
      player.fade(to: 0.25, over: MediaTime(value: 2, timescale: 1))
      try playback.waitUntilHeard(frame: 50_000)
      player.pause()
      try playback.listen(frames: 24_000)
      player.play()
      try playback.waitUntilHeard(frame: 70_000)
      player.seek(to: MediaTime(value: 300_000, timescale: 48_000))
      let recording = try playback.finish()
      // Without the silence of the pause.
      let heard = stride(from: 1, to: recording.count, by: 2).map { recording[$0] }.filter {
        $0 != 0
      }
      var start = 0
      while start < heard.count - 1, heard[start + 1] == 0.5 { start += 1 }
      let step = (0.25 - 1) / Float(96_000)
      let expected = (0..<96_000).map { 0.5 * (1 + step * Float($0)) }
      // Of a splice that came late, which is told, the first frames are heard as they were: 222
      // beside all other tests.
      let first = expected.dropFirst().firstIndex(of: heard[start + 1])
      let skipped = try #require(first) - 1
      #expect(heard[start] == 0.5 && skipped <= late.frames.max() ?? 0)
      let end = start + expected.count - skipped
      try #require(heard.count >= end, "\(heard.count) frames, the fade from \(start) on")
      #expect(Array(heard[start + 1..<end]) == Array(expected[(skipped + 1)...]))
      #expect(heard[end...].allSatisfy { $0 == 0.125 })
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  @Test func `an item's ramp of 10 s is right to the frame after seeks`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      // The right channel is 0.5 throughout, the left one names the frame.
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(64, frames: 10 * 48_000)], fade: .none)
      let player = playback.player
      var automation = VolumeAutomation()
      automation.setVolumeRamp(
        fromStartVolume: 0.25, toEndVolume: 1,
        timeRange: MediaTimeRange(start: .zero, duration: MediaTime(value: 10, timescale: 1)))
      try player.playlist.setVolumeAutomation(automation, of: player.playlist[0].id)
      player.play()
      try playback.waitUntilHeard(frame: 20_000)
      for second in [6, 2, 4] {
        player.seek(to: MediaTime(value: Int64(second), timescale: 1))
        try playback.waitUntilHeard(frame: second * 48_000 + 20_000)
      }
      let recording = try playback.finish()
      var furthest = 0
      for i in stride(from: 0, to: recording.count, by: 2) where recording[i + 1] != 0 {
        let volume = Double(recording[i + 1]) / 0.5
        let frame = Int((Double(recording[i]) / volume * Double(Heard.frameLimit)).rounded()) - 1
        let expected = 0.25 + 0.75 * Double(frame) / 480_000
        guard abs(volume - expected) <= 1e-6 else {
          Issue.record("a volume of \(volume) at frame \(frame), not \(expected)")
          break
        }
        furthest = max(furthest, frame)
      }
      #expect(furthest >= 6 * 48_000 + 20_000)
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  @Test func `the server's volume is mirrored and never written`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(1, frames: 10 * 48_000)])
      let renderer = playback.renderer
      playback.player.play()
      try playback.waitUntilHeard(frame: 10_000)
      renderer.volume = 0.5
      renderer.isMuted = true
      try playback.waitUntilHeard(frame: 20_000)
      let input = try SinkInput.all(of: playback)
      #expect(input.map(\.percent) == [100])
      #expect(input.map(\.isMuted) == [false])
      #expect(renderer.outputVolume == 1)
      try playback.server.control(["set-sink-input-volume", "\(input[0].index)", "50%"])
      // PulseAudio's percentage is the cube root of the factor.
      try playback.wait("the mirrored volume") { abs(renderer.outputVolume - 0.125) < 1e-3 }
      try playback.server.control(["set-sink-input-mute", "\(input[0].index)", "1"])
      try playback.wait("the mirrored mute") { renderer.isOutputMuted }
      #expect(renderer.volume == 0.5)
      renderer.volume = 1
      renderer.isMuted = false
      try playback.waitUntilHeard(
        frame: Int(playback.player.synchronizer.currentTime().seconds * 48_000) + 20_000)
      let after = try SinkInput.all(of: playback)
      #expect(after.map(\.percent) == [50])
      #expect(after.map(\.isMuted) == [true])
      playback.player.stop()
    }
  }
}
