// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

@Suite struct RateTests {
  /// The place in the sound that each recorded frame comes from, in frames, until it is over.
  private func places(_ recording: [Float], from start: Int) -> [Double] {
    stride(from: 2 * start, to: recording.count, by: 2)
      .map { Double(recording[$0]) * Double(Heard.frameLimit) - 1 }
  }

  @Test
  func `a rate that is swept skips nothing, repeats nothing, and does not click`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      // Of 12 s the end came during the sweep on a slow machine.
      let length = 20 * 48_000
      let (playback, recording) = try inTime {
        let playback = try ServerPlayback(TestedServer.shared, [sound.numbered(1, frames: length)])
        playback.renderer.audioTimePitchAlgorithm = .varispeed
        playback.player.rate = 0.5
        try playback.waitUntilHeard(frame: 10_000)
        for i in 0...80 {
          let rate = 0.5 + 0.05 * Double(i <= 30 ? i : i <= 60 ? 60 - i : i - 60)
          playback.player.rate = rate
          try playback.listen(frames: 4_800)
        }
        defer { playback.player.stop() }
        return (playback, playback.capture.recording)
      }
      let places = places(recording, from: try playback.capture.firstSoundFrame())
      try #require(places.last! < Double(length - 48_000))
      let steps = zip(places, places.dropFirst()).map { $1 - $0 }.dropFirst(500)
      #expect(steps.count > 48_000)
      // A crossfade between two rates may be slower than the slower one, or faster than the faster.
      let wrong = steps.indices.first { steps[$0] < 0.3 || steps[$0] > 2.25 }
      #expect(wrong == nil, "a step of \(wrong.map { steps[$0] } ?? 0) frames")
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  @Test(arguments: [0.5, 2, 8])
  func `the clock is where the sound is, at any rate`(rate: Double) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let playback = try ServerPlayback(
        TestedServer.shared, [sound.numbered(1, frames: min(20, Int(8 * rate)) * 48_000)],
        fade: .none)
      playback.renderer.audioTimePitchAlgorithm = .varispeed
      playback.player.rate = rate
      try playback.waitUntilHeard(frame: 30_000)
      // What is recorded was heard a moment ago: a tenth of a second, at most.
      try playback.listen(frames: 24_000)
      let time = playback.player.synchronizer.currentTime().seconds
      let recording = playback.capture.recording
      let last = Double(recording[recording.count - 2]) * Double(Heard.frameLimit) / 48_000
      #expect(time > last - 0.01 * rate && time < last + 0.15 * rate, "\(time), heard \(last)")
      #expect(playback.player.synchronizer.timebase.rate == rate)
      playback.player.pause()
      try playback.listen(frames: 12_000)
      let held = playback.player.synchronizer.currentTime()
      playback.player.rate = rate
      let end = try playback.finish()
      let start = try playback.capture.firstSoundFrame()
      let places = places(end, from: start)
      let silence = places.firstIndex(of: -1) ?? places.count
      let again = places[silence...].firstIndex { $0 > -1 } ?? places.endIndex
      for (before, after) in zip(places[..<silence].suffix(2_000), silence...) {
        #expect(abs(before - places[silence - 1] - rate * Double(after - silence - 1_999)) < 0.1)
      }
      for i in 0..<2_000 {
        #expect(abs(places[again + i] - held.seconds * 48_000 - rate * Double(i)) < 0.1)
      }
    }
  }
}
