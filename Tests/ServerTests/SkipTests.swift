// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

@Suite struct SkipTests {
  private static let length = 8 * 48_000

  /// Three skips in each: a seek within the item, the next item, and the item before again.
  private static func skip(_ playback: ServerPlayback) throws {
    let player = playback.player
    player.play()
    try playback.waitUntilHeard(frame: 30_011)
    player.seek(to: MediaTime(value: 200_003, timescale: 48_000))
    // A seek starts the timeline anew at the item's start.
    try playback.waitUntilHeard(frame: 230_123)
    player.next()
    try playback.events.wait("the second item") { $0 == "current 2.wav" }
    try playback.waitUntilHeard(frame: 31_000)
    player.previous()
    try playback.events.wait("the first item again", count: 2) { $0 == "current 1.wav" }
    try playback.waitUntilHeard(frame: 30_000)
    player.seek(to: MediaTime(value: Int64(length) - 20_000, timescale: 48_000))
    try playback.events.wait("the second item again", count: 2) { $0 == "current 2.wav" }
    try playback.waitUntilHeard(frame: length + 20_000)
    player.seek(to: MediaTime(value: Int64(length) - 9_999, timescale: 48_000))
  }

  @Test(arguments: [Latency.responsive, .powerSaving])
  func `hard skips go from one frame to the other, exact to the sample`(
    latency: Latency
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let (playback, recording) = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared,
          [sound.numbered(1, frames: Self.length), sound.numbered(2, frames: Self.length)],
          latency: latency, fade: .none)
        try Self.skip(playback)
        return (playback, try playback.finish())
      }
      let heard = Heard.trimmed(recording)
      Self.expect(heard, crossfade: 0)
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  /// A seek takes effect sooner than a start: of its first frames up to 20 ms were silent, 58 on PipeWire.
  @Test(arguments: [Latency.responsive, .powerSaving])
  func `a seek right behind a resume is heard from its first frame on`(
    latency: Latency
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let places = [250_000, 50_000, 300_000, 100_000, 350_000, 150_000]
      let (_, recording) = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared, [sound.numbered(1, frames: Self.length)], latency: latency)
        playback.player.play()
        for (round, place) in places.enumerated() {
          try playback.listen(frames: 24_000)
          playback.player.pause()
          try playback.listen(frames: 2_000 * round)
          playback.player.play()
          playback.player.seek(to: MediaTime(value: Int64(place), timescale: 48_000))
        }
        try playback.listen(frames: 24_000)
        playback.player.stop()
        return (playback, playback.capture.recording)
      }
      let heard = Heard.read(recording)
      for place in places {
        let first = heard.lazy.compactMap { run -> Int? in
          guard case .frames(1, let frames) = run,
            (place..<place + 30_000).contains(frames.lowerBound)
          else { return nil }
          return frames.lowerBound
        }.first
        // The fade in comes first.
        #expect(first.map { $0 <= place + 240 } == true, "to \(place): \(heard)")
      }
    }
  }

  @Test(arguments: [Latency.responsive, .powerSaving])
  func `skips crossfade 5 ms without silence, and all else is exact`(
    latency: Latency
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let (playback, recording) = try inTime {
        let playback = try ServerPlayback(
          TestedServer.shared,
          [sound.numbered(1, frames: Self.length), sound.numbered(2, frames: Self.length)],
          latency: latency)
        try Self.skip(playback)
        return (playback, try playback.finish())
      }
      let heard = Heard.trimmed(recording)
      Self.expect(heard, crossfade: 240)
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  /// Items and first frames of what is heard, with `crossfade` mixed frames in front of each but
  /// the first and the natural joint.
  private static func expect(_ heard: [Heard], crossfade: Int) {
    let starts = [
      (1, 0), (1, 200_003), (2, 0), (1, 0), (1, length - 20_000), (2, 0), (2, length - 9_999),
    ]
    var rest = heard[...]
    for (i, (item, start)) in starts.enumerated() {
      let isMixed = crossfade > 0 && i > 0 && i != 5
      if isMixed {
        #expect(rest.popFirst() == .other(crossfade), "before \(item): \(start) in \(heard)")
      }
      guard case .frames(item, let frames)? = rest.popFirst() else {
        Issue.record("no run of \(item) at \(start) in \(heard)")
        return
      }
      #expect(frames.lowerBound == start + (isMixed ? crossfade : 0), "\(heard)")
      if i == 4 || i == 6 { #expect(frames.upperBound == length, "\(heard)") }
    }
    #expect(rest.isEmpty, "\(heard)")
  }

  @Test func `skips make no step in a tone`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let tones = [
        try sound.tone("1", frames: Self.length, phase: 0),
        // Goes on where the first one ends.
        try sound.tone("2", frames: Self.length, phase: 0),
      ]
      let (playback, recording) = try inTime {
        let playback = try ServerPlayback(TestedServer.shared, tones)
        try Self.skip(playback)
        return (playback, try playback.finish())
      }
      let start = 2 * (try playback.capture.firstSoundFrame())
      // Behind the last frame the tone is cut off, at its zero.
      #expect(largestStep(Array(recording[start...])) <= 1.5 * TestSound.toneStep)
    }
  }
}
