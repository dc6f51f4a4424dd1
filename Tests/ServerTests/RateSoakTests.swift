// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaRubberBand
import TestServers
import Testing

/// Rates for as long as wanted: all of them at once, each algorithm after the other.
@Suite(.enabled(if: Soak.minutes != nil), .serialized) struct RateSoakTests {
  private static let rates = [0.5, 0.8, 1.25, 1.5, 2, 3]

  @Test(arguments: [AudioTimePitchAlgorithm.varispeed, .timeDomain, .spectral])
  func `at any rate the sound is where it should be to the end`(
    algorithm: AudioTimePitchAlgorithm
  ) async throws {
    let minutes = try #require(Soak.minutes)
    let sound = try TestSound()
    let item = try sound.write("bursts", BurstSound.samples())
    try await onOwnThread {
      var recordings = try Self.rates.map { rate in
        let items = max(
          2, Int((minutes * 60 * 48_000 * rate / Double(BurstSound.length)).rounded(.up)))
        let playback = try ServerPlayback(
          TestedServer.shared, Array(repeating: item, count: items), fade: .none)
        playback.renderer.audioTimePitchAlgorithm = algorithm
        return BurstRecording(playback, rate: rate, items: items)
      }
      for recording in recordings { recording.playback.player.rate = recording.rate }
      var playing = Array(recordings.indices)
      while let first = playing.first {
        try recordings[first].playback.listen(frames: 4_800)
        for i in playing {
          let hasEnded = recordings[i].playback.events.sentences.contains("end")
          if hasEnded { recordings[i].finish() } else { recordings[i].read() }
          if hasEnded { playing.removeAll { $0 == i } }
        }
      }
      for recording in recordings { Self.check(recording, algorithm) }
    }
  }

  private static func check(_ recording: BurstRecording, _ algorithm: AudioTimePitchAlgorithm) {
    let (rate, late) = (recording.rate, recording.late)
    let name = "\(algorithm.name) at \(rate)"
    #expect(late.count == recording.items * BurstSound.count, "\(name): bursts")
    let starts = stride(from: 0, to: late.count, by: BurstSound.count)
    let firsts = starts.map { abs(late[$0]) }
    let items = starts.map { Distribution(Array(late[$0...].prefix(BurstSound.count))).median }
    guard let last = items.last, let first = firsts.max(), recording.ahead.count > 200 else {
      Issue.record("\(name): \(late.count) bursts, \(recording.ahead.count) looks")
      return
    }
    let worst = late.map(abs).max()!
    // The sink's constant is what it was in the beginning; at the end the clock is held.
    let looks = recording.ahead.dropLast(10)
    let clock =
      rate
      * (Distribution(looks.suffix(100)).median - Distribution(Array(looks.prefix(100))).median)
    print(
      """
      rates: \(name): \(recording.items) items, \(late.count) bursts; milliseconds of media time: \
      worst burst \(worst.short), first of an item \(first.short), the last \(last.short), the clock at the \
      end \(clock.short)
      """)
    // A stretcher moves single bursts to and fro; items are where they belong.
    #expect(worst < (algorithm == .varispeed ? 0.5 : 5), "\(name): a burst")
    #expect(items.allSatisfy { abs($0) < 5 }, "\(name): the items are late by \(items) ms")
    #expect(abs(clock) < 5, "\(name): the clock")
    #expect(recording.playback.renderer.underrunCount == 0, "\(name)")
  }
}
