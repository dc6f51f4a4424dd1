// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import PulseDevice
@testable import Rendering
import TestFixtures
import TestSeeds
import TestServers
import Testing

@Suite struct PauseTests {
  /// Plays with one pause, when `frame` is heard, until the monitor has heard `frames` more.
  private func pausing(
    at frame: Int, for frames: Int, _ open: () throws -> ServerPlayback
  ) throws -> (ServerPlayback, [Float]) {
    try inTime {
      let playback = try open()
      playback.player.play()
      try playback.waitUntilHeard(frame: frame)
      playback.player.pause()
      try playback.listen(frames: frames)
      playback.player.play()
      return (playback, try playback.finish())
    }
  }

  @Test(arguments: [Latency.responsive, .powerSaving])
  func `pauses without a fade lose, repeat and change no frame`(latency: Latency) async throws {
    try await onOwnThread {
      var random = SplitMix64()
      let sound = try TestSound()
      let length = 6 * 48_000
      let (playback, recording) = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared, [sound.numbered(1, frames: length)], latency: latency,
          fade: .none)
        let pauses = (0..<8).map { _ in Int.random(in: 2_000..<length - 10_000, using: &random) }
        playback.player.play()
        for frame in Set(pauses).sorted() {
          // A pause that has already gone by counts for nothing.
          guard playback.player.synchronizer.currentTime().seconds * 48_000 < Double(frame) - 960
          else { continue }
          try playback.waitUntilHeard(frame: frame)
          playback.player.pause()
          // From none, while the last pause is still on its way, to beyond the cork.
          let frames = Int.random(in: -10_000..<20_000, using: &random)
          if frames > 0 { try playback.listen(frames: frames) }
          playback.player.play()
        }
        return (playback, try playback.finish())
      }
      #expect(
        Heard.sound(recording) == [.frames(item: 1, 0..<length)],
        "seed \(random.seed): \(Heard.trimmed(recording))")
      #expect(playback.renderer.underrunCount == 0, "seed \(random.seed)")
    }
  }

  @Test func `a cut album paused in the middle without a fade is the uncut original around it`()
    async throws
  {
    try await onOwnThread {
      let uncut = try Fixtures.samples("cut/uncut.flac")
      // Within the fourth of seven items; beyond what a pause takes to arrive, so that the silence is
      // heard.
      let (playback, recording) = try pausing(at: 246_000, for: 24_000) {
        try ServerPlayback(
          TestedServer.shared, Fixtures.playlist("cut/cut.m3u8"), fade: .none)
      }
      let first = 2 * (try playback.capture.firstSoundFrame())
      guard let pause = firstDifference(Array(recording[first...].prefix(uncut.count)), uncut)
      else {
        Issue.record("the pause was not heard")
        return
      }
      // Music has frames of silence too: the pause is as long as what is heard is too long.
      let last = recording.lastIndex { $0 != 0 }!
      let silent = last - first - uncut.lastIndex { $0 != 0 }!
      #expect(silent > 0 && silent % 2 == 0)
      // Frames of the original that are zero around the pause can be either's.
      let begin = first + pause
      #expect(recording[begin..<(begin + silent)].allSatisfy { $0 == 0 })
      let heard =
        recording[first..<begin] + recording[(begin + silent)...].prefix(uncut.count - pause)
      #expect(firstDifference(Array(heard), uncut) == nil)
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  /// As the ramps of the fades are on both channels, a faded frame still names itself.
  @Test func `a pause fades out from a frame, and the resume fades in from the same`() async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 2 * 48_000
      let (playback, recording) = try pausing(at: 40_000, for: 12_000) {
        try ServerPlayback(TestedServer.shared, [sound.numbered(61, frames: length)])
      }
      let heard = Heard.trimmed(recording)
      guard heard.count == 5, case .frames(61, let before) = heard[0],
        case .frames(61, let after) = heard[4]
      else {
        Issue.record("\(heard)")
        return
      }
      // The gain of the first frame of the fade out is 1, that of the fade in 0.
      let m = before.upperBound - 1
      #expect(before.lowerBound == 0)
      #expect(heard[1] == .other(239))
      #expect(heard[3] == .other(239))
      #expect(after == m + 240..<length)
      let out = 2 * (try playback.capture.firstSoundFrame() + m)
      guard case .silence(let silent) = heard[2] else {
        Issue.record("no silence between the fades: \(heard)")
        return
      }
      let back = out + 2 * (239 + silent)
      for i in 1..<240 {
        for (start, gain) in [(out, 1 - Float(i) / 240), (back, Float(i) / 240)] {
          let (left, right) = (recording[start + 2 * i], recording[start + 2 * i + 1])
          #expect(abs(right - gain * 61 / 128) < 1e-6)
          #expect(Int((left / right * 61 / 128 * Float(Heard.frameLimit)).rounded()) == m + i + 1)
        }
      }
    }
  }

  /// What the sink has taken of them cannot be held back.
  @Test(arguments: [Latency.responsive, .powerSaving])
  func `a pause in the last milliseconds that is taken back leaves the end to be told`(
    latency: Latency
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 48_000
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(1, frames: length)], latency: latency,
        fade: .none)
      playback.player.play()
      try playback.waitUntilHeard(frame: length - 240)
      playback.player.pause()
      try playback.events.wait("the pause") { $0 == "rate 0" }
      playback.player.play()
      #expect(Heard.sound(try playback.finish()) == [.frames(item: 1, 0..<length)])
    }
  }

  @Test func `pause and resume make no step in a tone`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let tone = try sound.tone("tone", frames: 3 * 48_000, phase: 0)
      let (_, recording) = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared, [tone],
          latency: .balanced)
        playback.player.play()
        for frame in [20_000, 43_217, 70_100, 99_999] {
          try playback.waitUntilHeard(frame: frame)
          playback.player.pause()
          try playback.listen(frames: frame / 8)
          playback.player.play()
        }
        return (playback, try playback.finish())
      }
      #expect(largestStep(recording) <= 1.5 * TestSound.toneStep)
    }
  }

  /// A pause took place behind frames that the server had done without: 1,900 to 2,900 of them were heard by nobody,
  /// and no underrun was told.
  @Test(
    .enabled(if: !TestedServer.isPipeWire, "PipeWire tells of no frame that it does without"),
    arguments: [false, true])
  func `a pause right behind 75 ms in which nothing was done passes over no frame`(
    sinkRewinds: Bool
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      // A machine that stands still besides has it run dry more often.
      let (playback, recording) = try inTime(underruns: 6) {
        let playback = try ServerPlayback(
          TestedServer.shared, [sound.numbered(1, frames: 6 * 48_000)], latency: .low, fade: .none,
          seat: Seat(taking: Seat.all), rewinds: sinkRewinds)
        let output = try #require(playback.renderer.output as? PulseAudioOutput)
        playback.player.play()
        for frame in [40_000, 105_000, 145_331, 185_662] {
          try playback.waitUntilHeard(frame: frame)
          let connection = try #require(output.withLock { output.stream?.connection })
          let isHeld = DispatchSemaphore(value: 0)
          Thread.detachNewThread {
            connection.withLock {
              isHeld.signal()
              Thread.sleep(forTimeInterval: 0.075)
            }
          }
          isHeld.wait()
          playback.player.pause()
          try playback.listen(frames: 9_600)
          playback.player.play()
        }
        try playback.waitUntilHeard(frame: 225_000)
        playback.player.stop()
        return (playback, playback.capture.recording)
      }
      let heard = Heard.sound(recording)
      // One for each. A sink that rewinds, which has not been asked for 2 s yet, went on to run dry every 140 ms: five
      // times more.
      #expect((4...6).contains(playback.renderer.underrunCount))
      // What comes again behind silence fades in.
      let runs = heard.compactMap { run -> Range<Int>? in
        if case .frames(1, let frames) = run { frames } else { nil }
      }
      for (before, after) in zip(runs, runs.dropFirst()) {
        #expect(after.lowerBound - before.upperBound <= 240, "\(heard)")
      }
    }
  }
}
