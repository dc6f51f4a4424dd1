// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

/// Gains of items, against the same playing without them times what the formula says.
@Suite struct ItemGainTests {
  private static let length = 240

  private func factor(_ decibels: Float) -> Float { Float(pow(10, Double(decibels) / 20)) }

  /// The factors of a change that has just been asked for.
  private func change(from: Float, to: Float, frames: Int) -> [Float] {
    let step = (to - from) / Float(Self.length)
    return (0..<frames).map { $0 < Self.length ? from + step * Float($0) : to }
  }

  private func source(_ name: String, _ first: Int64 = 0, rate: Int = 48_000) -> GeneratorSource {
    GeneratorSource(
      name: name, format: AudioFormat(sampleRate: rate, layout: .mono), frameCount: 480_000
    ) { samples, frame in
      for i in samples.indices {
        samples[i] = sinf(Float((first + frame + Int64(i)) % 4_800) * .pi / 240) / 2 + 0.25
      }
    }
  }

  /// Two players of the same items, one of which changes gains.
  private final class Pair {
    let plain: OfflinePlayback
    let gained: OfflinePlayback

    init(_ sources: [GeneratorSource], gain: Float = 0, fade: Fade = .none) {
      plain = OfflinePlayback(format: StepSource.format, fade: fade)
      gained = OfflinePlayback(format: StepSource.format, fade: fade)
      plain.player.playlist.append(contentsOf: sources.map { PlaylistItem($0) })
      gained.player.playlist.append(contentsOf: sources.map { PlaylistItem($0, gain: gain) })
    }

    var both: [OfflinePlayback] { [plain, gained] }

    /// The next frames of the one with gains, and those of the other at `factors`.
    func pull(_ factors: [Float]) -> (heard: [Float], expected: [Float]) {
      let (plain, heard) = (plain.pull(factors.count), gained.pull(factors.count))
      return (heard, zip(plain, factors).map { $0 * $1 })
    }

    func setGain(_ gain: Float, of index: Int = 0) throws {
      try gained.player.playlist.setGain(gain, of: gained.player.playlist[index].id)
      gained.settle()
    }
  }

  private func expectEqual(
    _ pulled: (heard: [Float], expected: [Float]), _ what: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      firstDifference(pulled.heard, pulled.expected) == nil, "\(what)",
      sourceLocation: sourceLocation)
  }

  @Test func `a change while playing is a ramp of 5 ms from the next frame on`() throws {
    let pair = Pair([source("one")], gain: -12)
    for playback in pair.both { playback.player.play() }
    let (low, high) = (factor(-12), factor(3))
    expectEqual(pair.pull([Float](repeating: low, count: 10_000)))
    pair.gained.settle()
    #expect(pair.gained.player.currentGain == -12)
    try pair.setGain(3)
    #expect(pair.gained.player.currentGain == 3)
    #expect(pair.gained.player.playlist[0].gain == 3)
    expectEqual(pair.pull(change(from: low, to: high, frames: 100)))
    // In its midst another, from where it had got.
    try pair.setGain(0)
    let middle = low + (high - low) / Float(Self.length) * Float(100)
    expectEqual(pair.pull(change(from: middle, to: 1, frames: 1_000)))
  }

  @Test func `paused it changes at once`() throws {
    let pair = Pair([source("one")])
    for playback in pair.both { playback.player.play() }
    expectEqual(pair.pull([Float](repeating: 1, count: 1_000)))
    for playback in pair.both {
      playback.player.pause()
      playback.settle()
    }
    try pair.setGain(-20)
    for playback in pair.both { playback.player.play() }
    expectEqual(pair.pull([Float](repeating: factor(-20), count: 1_000)))
  }

  @Test func `one playing has a gain of its own, and the next one the item's`() throws {
    let pair = Pair([source("one")], gain: -3)
    for playback in pair.both {
      playback.player.setRepeatMode(.one)
      playback.player.play()
    }
    let own = factor(-3)
    expectEqual(pair.pull([Float](repeating: own, count: 1_000)))
    pair.gained.player.setCurrentGain(-30)
    pair.gained.settle()
    expectEqual(pair.pull(change(from: own, to: factor(-30), frames: 5_000)))
    // Seeks within it leave it alone.
    for playback in pair.both {
      playback.splicing { playback.player.seek(to: MediaTime(value: 470_000, timescale: 48_000)) }
    }
    expectEqual(pair.pull([Float](repeating: factor(-30), count: 10_000)))
    expectEqual(pair.pull([Float](repeating: own, count: 10_000)))
    wait { pair.gained.player.currentGain == -3 }
  }

  @Test func `the next item's gain is its own from its first frame on`() throws {
    let pair = Pair([source("one"), source("two", 7)])
    for playback in pair.both {
      playback.player.play()
      // Or its start would be taken for the seek.
      playback.settle()
      playback.splicing { playback.player.seek(to: MediaTime(value: 470_000, timescale: 48_000)) }
    }
    expectEqual(pair.pull([Float](repeating: 1, count: 1_000)))
    // What is prepared already changes too.
    pair.gained.waitForContent(upTo: 500_000)
    try pair.setGain(-6, of: 1)
    expectEqual(
      pair.pull(
        [Float](repeating: 1, count: 9_000) + [Float](repeating: factor(-6), count: 9_000)))
  }

  @Test func `a change at a joint goes on into the next playing of the same item`() throws {
    let pair = Pair([source("one")])
    for playback in pair.both {
      playback.player.setRepeatMode(.one)
      playback.player.play()
      // Or its start would be taken for the seek.
      playback.settle()
      playback.splicing { playback.player.seek(to: MediaTime(value: 470_000, timescale: 48_000)) }
    }
    expectEqual(pair.pull([Float](repeating: 1, count: 9_900)))
    pair.gained.waitForContent(upTo: 490_000)
    try pair.setGain(-6)
    expectEqual(pair.pull(change(from: 1, to: factor(-6), frames: 1_000)))
  }

  @Test(arguments: [1, 0.5, 2, -1, -1.5], [48_000, 44_100])
  func `random changes and seeks are what the formula says`(rate: Double, sampleRate: Int) throws {
    let seed: UInt64 = 7
    var random = SplitMix64(seed: seed)
    let pair = Pair([source("one", rate: sampleRate)])
    for playback in pair.both {
      playback.player.renderer.audioTimePitchAlgorithm = .varispeed
      playback.player.playlist.append(PlaylistItem(source("two", 3, rate: sampleRate)))
      playback.player.defaultRate = rate
      playback.splicing { playback.player.jump(to: 0, offset: MediaTime(value: 4, timescale: 1)) }
      playback.player.play()
      // A turn is a splice, too, and not the one that the first seek waits for.
      playback.settle()
    }
    var (present, since, target): (Float, Int, Float) = (1, Self.length, 1)
    func factors(_ count: Int) -> [Float] {
      let step = (target - present) / Float(Self.length)
      defer { since += count }
      return (since..<(since + count)).map {
        $0 < Self.length ? present + step * Float($0) : target
      }
    }
    for step in 0..<40 {
      let what = "step \(step), seed \(seed)"
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let gain = Float(Int.random(in: -30...6, using: &random))
        let from = factors(1)[0]
        since -= 1
        guard factor(gain) != target else { break }
        (present, since, target) = (from, 0, factor(gain))
        try pair.setGain(gain)
      case 1:
        let place = MediaTime(
          value: Int64.random(in: 144_000...336_000, using: &random), timescale: 48_000)
        for playback in pair.both { playback.splicing { playback.player.seek(to: place) } }
      default: break
      }
      expectEqual(pair.pull(factors(Int.random(in: 1...700, using: &random))), what)
    }
  }

  @Test func `a device is given the ramp from the first frame on that it still gives back`() throws
  {
    let output = SteppedOutput(reach: 960)
    let player = SampleBufferPlayer(
      renderer: AudioRenderer(output: output, quality: .veryHigh), fade: .none)
    let item = PlaylistItem(
      GeneratorSource(name: "ones", format: StepSource.format, frameCount: 480_000) { samples, _ in
        samples.update(repeating: 1)
      })
    player.playlist.append(item)
    player.play()
    wait { output.withLock { player.renderer.line.transport == .running } }
    output.step(to: 5_000)
    try player.playlist.setGain(-6, of: item.id)
    wait { player.serializer.isSettled }
    let expected =
      [Float](repeating: 1, count: 960) + change(from: 1, to: factor(-6), frames: 2_000)
    #expect(output.withLock { player.renderer.line.rendered(5_000..<7_960) } == expected)
  }

  @Test func `a crossfade between items is that of what is heard of them`() {
    func playback(_ gains: [Float], baked: Bool) -> OfflinePlayback {
      let playback = OfflinePlayback(format: StepSource.format)
      for (number, gain) in gains.enumerated() {
        let level = Float(number + 1) / 4 * (baked ? factor(gain) : 1)
        let source = GeneratorSource(
          name: "\(number)", format: StepSource.format, frameCount: 480_000
        ) { samples, frame in
          for i in samples.indices { samples[i] = level * (frame + Int64(i)).isOdd }
        }
        playback.player.playlist.append(PlaylistItem(source, gain: baked ? 0 : gain))
      }
      playback.player.play()
      return playback
    }
    let (gained, baked) = (playback([-12, 0], baked: false), playback([-12, 0], baked: true))
    var heard: [[Float]] = [[], []]
    for (i, playback) in [gained, baked].enumerated() {
      heard[i] += playback.pull(1_000)
      playback.splicing { playback.player.next() }
      heard[i] += playback.pull(2_000)
      playback.splicing { playback.player.jump(to: 0) }
      heard[i] += playback.pull(2_000)
    }
    let most = zip(heard[0], heard[1]).map { abs($0 - $1) }.max() ?? 1
    #expect(most <= 1e-6)
  }

  @Test(arguments: [48_000, 44_100])
  func `a rendering without a player has the same gains to the bit`(rate: Int) {
    let items = [source("one", rate: rate), source("two", 9, rate: rate)].enumerated().map {
      PlaylistItem($1, end: MediaTime(value: 1, timescale: 1), gain: [-7, 2][$0])
    }
    var rendered: [Float] = []
    Bounce(items, format: StepSource.format).render { rendered.append(contentsOf: $0) }
    let playback = OfflinePlayback(format: StepSource.format, fade: .none)
    playback.player.playlist.append(contentsOf: items)
    let heard = playback.playToEnd()
    #expect(heard.count == 96_000)
    #expect(firstDifference(rendered, heard) == nil)
  }

  @Test func `shuffling and its end keep a gain that was set`() throws {
    let playlist = Playlist()
    playlist.append(contentsOf: (0..<50).map { PlaylistItem(path: "\($0)") })
    let ids = playlist.items.map(\.id)
    playlist.shuffle(seed: 3)
    try playlist.setGain(-9, of: ids[17])
    #expect(playlist[playlist.index(of: ids[17])!].gain == -9)
    #expect(playlist[playlist.index(of: ids[17])!].source == nil)
    playlist.unshuffle()
    #expect(playlist.items.map(\.id) == ids)
    #expect(playlist.items.map(\.gain) == ids.map { $0 == ids[17] ? -9 : 0 })
    #expect(throws: PlaylistError.self) { try Playlist().setGain(0, of: ids[0]) }
  }
}

extension Int64 {
  fileprivate var isOdd: Float { self % 2 == 0 ? 1 : -1 }
}
