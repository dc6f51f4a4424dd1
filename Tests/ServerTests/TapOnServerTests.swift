// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import TestSeeds
import TestServers
import Testing

@Suite struct TapOnServerTests {
  /// What comes between the silence before and after it, of two channels.
  private func sound(_ samples: [Float]) -> ArraySlice<Float> {
    guard let first = samples.firstIndex(where: { $0 != 0 }),
      let last = samples.lastIndex(where: { $0 != 0 })
    else { return [] }
    return samples[first / 2 * 2...last]
  }

  @Test(arguments: [Latency.responsive, .balanced])
  func `a tap tells frame by frame what the monitor hears, over fifty seeks`(
    latency: Latency
  ) async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 20 * 48_000
      let path = try sound.numbered(1, frames: length)
      let seed = UInt64.random(in: 0...(.max))
      let (playback, (recording, told)) = try inTime(lateSplices: .max, runsDry: true) {
        let playback = try ServerPlayback(TestedServer.shared, [path], latency: latency)
        let queue = DispatchQueue(label: "tapped")
        nonisolated(unsafe) var tapped: [TappedAudio] = []
        let observation = playback.renderer.tap().observe(on: queue) { tapped.append($0) }
        defer { observation.cancel() }
        var random = SplitMix64(seed: seed)
        playback.player.play()
        _ = try playback.capture.firstSoundFrame()
        for _ in 0..<50 {
          let frame = Int.random(in: 0..<length - 96_000, using: &random)
          playback.player.seek(to: MediaTime(value: Int64(frame), timescale: 48_000))
          try playback.listen(frames: Int.random(in: 480..<9_600, using: &random))
        }
        playback.player.seek(to: MediaTime(value: Int64(length - 9_600), timescale: 48_000))
        let recording = try playback.finish()
        return (playback, (recording, queue.sync { tapped }))
      }
      let samples = told.flatMap { audio in audio.buffer.withFrames { Array($0) } }
      let (heard, said) = (self.sound(recording), self.sound(samples))
      let late = playback.renderer.lateSpliceCount
      #expect(
        heard.count == said.count,
        "seed \(seed), \(late) late splices, heard \(Heard.read(Array(heard)))")
      // Which of two is heard the server does not say of a late splice, which is told.
      let differences = zip(heard, said).enumerated().filter { $1.0 != $1.1 }.map { $0.offset / 2 }
      let places = zip([.min] + differences, differences).count { $1 - max($0, -9_600) > 4_800 }
      #expect(places <= late, "seed \(seed), at \(differences)")
      // Each frame that is not in a fade is the one of its time.
      var named = 0
      for audio in told where audio.rate == 1 {
        let place = Int(audio.buffer.time.frames(at: 48_000))
        let run = audio.buffer.withFrames { Heard.read(Array($0)) }
        guard case .frames(1, let frames)? = run.first, run.count == 1 else { continue }
        named += 1
        #expect(frames.lowerBound == place, "seed \(seed)")
      }
      #expect(named > 50)
      let isInOrder = zip(told, told.dropFirst()).allSatisfy {
        guard let a = $0.hostTime, let b = $1.hostTime else { return true }
        return a <= b
      }
      // Where splices are late, so are the server's answers, by which the clock is set right: by 0.1 to 22 ms on a
      // machine with ten times as much to do as it can.
      #expect(isInOrder || late > 0, "seed \(seed)")
    }
  }
}
