// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestSeeds
import TestServers
import Testing

/// Effects that leave the sound alone, at the monitor of a sink.
@Suite struct EffectOnServerTests {
  private static let length = 20 * 48_000

  /// A player of numbered frames through effects, without fades: what is heard are numbers, and nothing else.
  private func play(
    _ effects: [any AudioEffect], of sound: TestSound, latency: Latency
  ) throws -> ServerPlayback {
    let playback = try ServerPlayback(
      TestedServer.shared, [sound.numbered(1, frames: Self.length)], latency: latency, fade: .none)
    playback.renderer.effects = effects
    playback.player.play()
    _ = try playback.capture.firstSoundFrame()
    return playback
  }

  @Test(arguments: [0, 128], [Latency.responsive, .balanced])
  func
    `through an effect of no latency or of 128 frames every frame is heard as it is, and at its time`(
      latency: Int, of server: Latency
    ) async throws
  {
    try await onOwnThread {
      let seed = UInt64.random(in: 0...(.max))
      var random = SplitMix64(seed: seed)
      let sound = try TestSound()
      let playback = try play([TransparentEffect(latency: latency)], of: sound, latency: server)
      let queue = TappedQueue(playback.renderer.tap())
      let late = LateSplices(of: playback.renderer)
      var targets: [Int] = []
      for _ in 0..<20 {
        try playback.listen(frames: Int.random(in: 4_800..<9_600, using: &random))
        let target = Int.random(in: 0..<(Self.length - 96_000), using: &random)
        targets.append(target)
        let recorded = playback.capture.frameCount
        playback.player.seek(to: MediaTime(value: Int64(target), timescale: 48_000))
        // A seek that overtakes another one is heard instead of it, and a recorder may give a backlog at once.
        try playback.listen(for: target, since: recorded)
      }
      playback.player.seek(to: MediaTime(value: Int64(Self.length - 9_600), timescale: 48_000))
      let recording = try playback.finish()
      // Stretches of frames as they were written, from each target to the next seek, and nothing between.
      let heard = Heard.sound(recording)
      let begins = heard.compactMap { part -> Int? in
        if case .frames(1, let frames) = part { frames.lowerBound } else { nil }
      }
      let told = late.frames.max() ?? 0
      #expect(
        begins == [0] + targets + [Self.length - 9_600] || told > 0, "seed \(seed): \(heard)")
      #expect(begins.count == heard.count, "seed \(seed): \(heard)")
      guard case .frames(item: 1, let last)? = heard.last else {
        Issue.record("seed \(seed): \(heard)")
        return
      }
      // The last seek is late as any other: once by 385 frames.
      #expect(
        (0...told).contains(last.lowerBound - (Self.length - 9_600)), "\(last), told \(told)")
      #expect(last.upperBound == Self.length)
      // What is told of each frame is the time that it bears.
      let named = queue.finish().compactMap { audio -> (Int, Int)? in
        let parts = audio.buffer.withFrames { Heard.read(Array($0)) }
        guard audio.rate == 1, case .frames(1, let frames)? = parts.first, parts.count == 1 else {
          return nil
        }
        return (frames.lowerBound, Int(audio.buffer.time.frames(at: 48_000)))
      }
      #expect(named.count > 50)
      #expect(named.allSatisfy { $0.0 == $0.1 }, "seed \(seed)")
    }
  }

  @Test func `effects that come and go while frames are heard change none of them`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let playback = try play([], of: sound, latency: .responsive)
      let late = LateSplices(of: playback.renderer)
      for step in 0..<12 {
        try playback.listen(frames: 24_000)
        let choices: [[any AudioEffect]] = [
          [TransparentEffect(latency: 0)], [TransparentEffect(latency: 128)], [],
        ]
        playback.renderer.effects = choices[step % 3]
      }
      try playback.listen(frames: 48_000)
      playback.player.seek(to: MediaTime(value: Int64(Self.length - 9_600), timescale: 48_000))
      // Other effects take over by a crossfade, which rounds; no frame is another, nor is one left out.
      let recording = try playback.finish()
      let numbers = stride(from: 0, to: recording.count, by: 2).compactMap { i -> Int? in
        recording[i] == 0 ? nil : Int((recording[i] * Float(Heard.frameLimit)).rounded())
      }
      let target = Self.length - 9_599
      let turn = try #require(numbers.firstIndex { $0 >= target })
      #expect(turn > 12 * 24_000)
      #expect(Array(numbers.prefix(turn)) == Array(1...turn))
      #expect((0...(late.frames.max() ?? 0)).contains(numbers[turn] - target))
      #expect(Array(numbers.suffix(from: turn)) == Array(numbers[turn]...Self.length))
    }
  }
}
