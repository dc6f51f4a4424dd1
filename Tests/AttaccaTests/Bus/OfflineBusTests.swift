// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

@Suite struct OfflineBusTests {
  /// Samples of two channels, none of them a whole number.
  private func noise(_ seed: UInt64, frames: Int) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<2 * frames).map { _ in Float.random(in: -1...1, using: &random) }
  }

  @Test func `two voices are the sum of their frames`() {
    let playback = BusPlayback()
    let (a, b) = (noise(1, frames: 100_000), noise(2, frames: 60_000))
    let first = playback.start(a)
    var heard = playback.pull(1_000)
    let second = playback.start(b)
    heard += playback.pullToEnd()
    var expected = a
    for i in b.indices { expected[2_000 + i] += b[i] }
    #expect(firstDifference(heard, expected) == nil)
    withExtendedLifetime((first, second)) {}
  }

  /// Frames of `player`, which is sought, paused and set to other volumes at random; `pull` gives as many as it
  /// is asked for, `rest` what is left of a pause.
  private func heard(
    _ player: SampleBufferPlayer, seed: UInt64, pull: (Int) -> [Float], rest: () -> [Float]
  ) -> [Float] {
    var random = SplitMix64(seed: seed)
    player.play()
    var heard: [Float] = pull(5_000)
    for _ in 0..<30 {
      // Or how much of the fade there is depends on the decoder.
      player.renderer.waitForFade()
      let before = player.renderer.publishedMap.read().last.traversal
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let frame = Int64.random(in: 0..<1_000_000, using: &random)
        player.seek(to: MediaTime(value: frame, timescale: 48_000))
        wait { player.renderer.publishedMap.read().last.traversal != before }
      case 1:
        player.renderer.volume = Float.random(in: 0...1, using: &random)
      default:
        player.pause()
        wait { player.serializer.isSettled }
        heard += rest()
        player.play()
      }
      wait { player.serializer.isSettled }
      heard += pull(Int.random(in: 1..<5_000, using: &random))
    }
    return heard
  }

  @Test func `a bus of one is what a renderer alone is`() {
    // In `SEEDS` there may be others, as `SEEDS=18,4711`.
    for seed in SplitMix64.givenSeeds ?? [UInt64.random(in: 0...(.max))] {
      let source = GeneratorSource.numbers(in: 0)
      let alone = OfflinePlayback(fade: .standard)
      alone.player.playlist.append(PlaylistItem(source))
      let playback = BusPlayback()
      let player = playback.makePlayer([source], fade: .standard)
      let single = heard(
        alone.player, seed: seed, pull: { alone.pull($0) },
        rest: {
          var out = [Float](repeating: 0, count: 2_000)
          let count = alone.renderer.render(frames: 1_000, into: &out)
          return Array(out.prefix(2 * count))
        })
      let one = heard(
        player, seed: seed, pull: { playback.pull($0) }, rest: { playback.pullSome(1_000) })
      #expect(firstDifference(one, single) == nil, "seed \(seed)")
    }
  }

  @Test func `fifty edits of one voice leave the other's frames as they are`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let playback = BusPlayback()
    let music = playback.makePlayer([GeneratorSource.numbers(in: 0)])
    let voice = playback.makePlayer(
      [GeneratorSource.numbers(in: 1), .numbers(in: 1)], fade: .standard)
    playback.play(music)
    var heard = playback.pull(10_000)
    playback.play(voice)
    for _ in 0..<50 {
      let frame = Int64.random(in: 0..<1_000_000, using: &random)
      let time = MediaTime(value: frame, timescale: 48_000)
      switch Int.random(in: 0..<8, using: &random) {
      case 0...2: voice.seek(to: time)
      case 3: voice.pause()
      case 4: voice.volume = Float.random(in: 0...1, using: &random)
      case 5:
        voice.playlist.insert(
          contentsOf: [PlaylistItem(GeneratorSource.numbers(in: 1))],
          at: Int.random(in: 0...voice.playlist.count, using: &random))
      case 6: voice.rate = [0.5, 1, 1.5, 2].randomElement(using: &random)!
      default: voice.next()
      }
      if Bool.random(using: &random) { voice.play() }
      heard += playback.pull(Int.random(in: 1..<20_000, using: &random))
    }
    let expected = (1...(heard.count / 2)).map { Float($0) }
    #expect(firstDifference(channel(0, of: heard), expected) == nil, "seed \(seed)")
    // The other one was heard, too.
    #expect(channel(1, of: heard).contains { $0 > 0 })
  }

  @Test func `the frames after a seek are those of the seek, beside another voice`() {
    let playback = BusPlayback()
    let music = playback.makePlayer([GeneratorSource.numbers(in: 0)])
    let voice = playback.makePlayer([GeneratorSource.numbers(in: 1)])
    playback.play(music)
    playback.play(voice)
    _ = playback.pull(1_000)
    let before = voice.renderer.publishedMap.read().last.traversal
    voice.seek(to: MediaTime(value: 500_000, timescale: 48_000))
    wait { voice.renderer.publishedMap.read().last.traversal != before }
    let heard = playback.pull(10_000)
    #expect(channel(0, of: heard) == (1_001...11_000).map { Float($0) })
    #expect(channel(1, of: heard) == (500_001...510_000).map { Float($0) })
  }

  @Test func `each voice has its own volume, mute and rate`() {
    let playback = BusPlayback()
    let ones = [Float](repeating: 1, count: 200_000)
    let (a, b) = (playback.start(ones), playback.start(ones))
    #expect(playback.pull(1_000) == [Float](repeating: 2, count: 2_000))
    a.0.volume = 0.5
    #expect(playback.pull(1_000).suffix(100) == [Float](repeating: 1.5, count: 100)[...])
    b.0.isMuted = true
    #expect(playback.pull(1_000).suffix(100) == [Float](repeating: 0.5, count: 100)[...])
    b.1.rate = 0
    #expect(playback.pull(1_000).suffix(100) == [Float](repeating: 0.5, count: 100)[...])
    #expect(a.1.currentTime() == MediaTime(value: 4_000, timescale: 48_000))
    #expect(b.1.currentTime() == MediaTime(value: 3_000, timescale: 48_000))
  }

  @Test func `voices of one synchronizer begin with the same frame`() {
    let playback = BusPlayback()
    let synchronizer = RenderSynchronizer()
    synchronizer.fade = .none
    let renderers = (0..<3).map { _ in playback.bus.makeRenderer() }
    for renderer in renderers { synchronizer.addRenderer(renderer) }
    let samples = (0..<200_000).map { Float($0 / 2 + 1) }
    for renderer in renderers {
      renderer.enqueue(SampleBuffer(samples: samples, format: BusPlayback.format, at: .zero))
      renderer.finishEnqueuing()
    }
    synchronizer.rate = 1
    // One after the other is told its frame, half a second ahead, which pulling would go past meanwhile.
    wait {
      renderers.allSatisfy { renderer in
        renderer.output.withLock { renderer.line.transport == .running }
      }
    }
    let heard = playback.pullToEnd()
    let begin = heard.firstIndex { $0 != 0 } ?? heard.count
    #expect(Array(heard[begin...]) == samples.map { $0 + $0 + $0 })
  }

  @Test func `a voice that has finished is told so at its frame, and the last one ends the bus`()
    async throws
  {
    let playback = BusPlayback()
    let ones = [Float](repeating: 1, count: 20_000)
    let short = playback.start(Array(ones.prefix(2_000)))
    let long = playback.start(ones)
    var events = short.0.rendererEvents.makeAsyncIterator()
    #expect(playback.pullSome(1_000).count == 2_000)
    let state = playback.bus.withLock { short.0.line.transport }
    // Its last frame has been rendered, and nothing more of the others.
    #expect(state == .idle(media: 1_000))
    guard case .drained? = await events.next() else {
      Issue.record("not told")
      return
    }
    #expect(playback.pullToEnd() == [Float](repeating: 1, count: 18_000))
    #expect(playback.bus.withLock { playback.bus.mix.transport } == .stopped)
    withExtendedLifetime(long) {}
  }

  @Test func `a voice that is released while it is heard fades out, and the others stay`() {
    let playback = BusPlayback()
    let music = playback.makePlayer([GeneratorSource.numbers(in: 0)])
    playback.play(music)
    var heard = playback.pull(1_000)
    do {
      let voice = playback.start((0..<100_000).map { $0 % 2 == 0 ? 0 : 1 })
      heard += playback.pull(1_000)
      withExtendedLifetime(voice) {}
    }
    // It is let go on a thread of its own.
    wait {
      playback.bus.withLock {
        playback.bus.mix.transport(of: 1) == .stopping(after: StreamFrame(2_240))
      }
    }
    heard += playback.pull(10_000)
    #expect(playback.bus.voiceCount == 1)
    #expect(channel(0, of: heard) == (1...12_000).map { Float($0) })
    let voice = channel(1, of: heard)
    #expect(Array(voice[1_000..<2_000]) == [Float](repeating: 1, count: 1_000))
    #expect(Array(voice[2_000..<2_240]) == (0..<240).map { 1 - Float($0) / 240 })
    #expect(voice[2_240...].allSatisfy { $0 == 0 })
  }

  @Test func `thirty-two voices come and go, and each is heard from its first frame to its last`() {
    let seed = UInt64.random(in: 0...(.max))
    var random = SplitMix64(seed: seed)
    let playback = BusPlayback()
    var (expected, heard) = ([Float](repeating: 0, count: 1_000_000), [Float]())
    var voices: [(AudioRenderer, RenderSynchronizer)] = []
    for _ in 0..<40 {
      voices.removeAll { voice in
        playback.bus.withLock { voice.0.line.transport != .running }
      }
      while voices.count < 32 {
        // Whole numbers, so that the order in which they are added does not matter.
        let length = Int.random(in: 1..<50_000, using: &random)
        let samples = (0..<2 * length).map { Float($0 % 1_000) }
        let begin = heard.count
        for i in samples.indices { expected[begin + i] += samples[i] }
        voices.append(playback.start(samples))
      }
      heard += playback.pullSome(Int.random(in: 1..<5_000, using: &random))
    }
    while case let more = playback.pullSome(4_096), !more.isEmpty { heard += more }
    #expect(firstDifference(heard, Array(expected.prefix(heard.count))) == nil, "seed \(seed)")
    #expect(expected[heard.count...].allSatisfy { $0 == 0 })
  }

  @Test func `frames of the sum above full scale are counted`() {
    let playback = BusPlayback()
    let half = [Float](repeating: 0.5, count: 20_000)
    var loud = half
    for i in stride(from: 0, to: 10_000, by: 100) { loud[i] = -0.75 }
    for i in stride(from: 1, to: 10_000, by: 100) { loud[i] = 0.75 }
    let voices = [playback.start(half), playback.start(loud)]
    _ = playback.pull(2_500)
    #expect(playback.bus.clippedFrameCount == 50)
    _ = playback.pullToEnd()
    #expect(playback.bus.clippedFrameCount == 100)
    withExtendedLifetime(voices) {}
  }
}
