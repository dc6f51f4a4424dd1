// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Foundation
import TestFixtures
import Testing

/// What is rendered by several threads beside what a player plays.
@Suite("Bounces") struct BounceTests {
  /// Chunks and blocks so short that the fixtures have many of them.
  private static func sizes(_ threads: Int, timeout: Double = 600) -> Bounce.Sizes {
    Bounce.Sizes(threads: threads, chunkSamples: 10_000, blockSamples: 20_000, timeout: timeout)
  }

  private static let pool = FramePool()
  private static let files: DecoderWatchdog.TextOpener = { path throws(SoundFileError) in
    try SoundFile(path: path, pool: pool)
  }

  private func bounced(
    _ paths: [String], rate: Int, sizes: Bounce.Sizes,
    open: @escaping DecoderWatchdog.TextOpener = files
  ) -> (heard: [Float], failures: [String]) {
    let bounce = Bounce(
      paths.map { PlaylistItem(path: $0) }, format: AudioFormat(sampleRate: rate, layout: .stereo),
      sizes: sizes, open: open)
    var (heard, failures): ([Float], [String]) = ([], [])
    bounce.render {
      heard.append(contentsOf: $0)
    } failed: {
      failures.append("\($0)")
    }
    return (heard, failures)
  }

  private func played(_ paths: [String], rate: Int) async -> (heard: [Float], failures: [String]) {
    let playback = OfflinePlayback(paths, format: AudioFormat(sampleRate: rate, layout: .stereo))
    let events = playback.player.events
    let heard = playback.playToEnd()
    var failures: [String] = []
    for await event in events {
      if case .itemsDidFail(let more) = event { failures += more.map { "\($0)" } }
      if case .endOfQueue = event { break }
    }
    return (heard, failures)
  }

  private func expectEqual(_ paths: [String], rate: Int, threads: Int = 3) async {
    let expected = await played(paths, rate: rate)
    let found = bounced(paths, rate: rate, sizes: Self.sizes(threads))
    #expect(firstDifference(found.heard, expected.heard) == nil)
    #expect(found.failures == expected.failures)
  }

  @Test(arguments: [48_000, 44_100])
  func `a cut album of four lossless formats is what a player plays, to the bit`(rate: Int)
    async throws
  {
    await expectEqual(try Fixtures.playlist("cut/cut.m3u8"), rate: rate)
  }

  @Test(arguments: [1, 2, 5])
  func `items of many rates, lossless and lossy, are what a player plays, to the bit`(threads: Int)
    async throws
  {
    await expectEqual(try Fixtures.playlist("album/album.m3u8"), rate: 48_000, threads: threads)
  }

  @Test func `lossy parts lose none of what their headers trim`() async {
    let names = ["lame-1.mp3", "lavc-2.mp3", "vorbis-3.ogg", "opus-1.opus", "lame-2.mp3"]
    await expectEqual(names.map { Fixtures.path("joints/lossy/\($0)") }, rate: 44_100)
  }

  @Test func `one item alone is what a player plays, to the bit`() async {
    await expectEqual([Fixtures.path("album-uncut.flac")], rate: 44_100)
    await expectEqual([Fixtures.path("formats/wav-1-frame.wav")], rate: 44_100)
  }

  @Test func `what can be read of broken files is rendered, and each is told as a player tells it`()
    async throws
  {
    let good = Fixtures.path("cut/05.flac")
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("broken"))
      .sorted()
    let paths = names.flatMap { [good, Fixtures.path("broken/\($0)"), "missing/\($0)"] }
    await expectEqual(paths, rate: 48_000)
  }

  @Test func `every file of the fixtures is what a player plays, to the bit`() async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.path("formats"))
    await expectEqual(names.sorted().map { Fixtures.path("formats/\($0)") }, rate: 44_100)
  }

  /// Effects of all kinds: with a latency, a tail, a history, and none.
  static let effects: [[any AudioEffect]] = [
    [IdentityEffect()], [DelayEffect(latency: 128)],
    [
      EqualizerEffect([.init(.lowShelf, frequency: 120, gain: 6)]), EchoEffect(tail: 20_000),
      LimiterEffect(ceiling: -12),
    ],
  ]

  @Test(arguments: 0..<3)
  func `items through effects are what a player plays through them, to the bit`(_ index: Int)
    throws
  {
    let effects = Self.effects[index]
    let paths = try Fixtures.playlist("album/album.m3u8") + ["missing.wav"]
    let items = paths.enumerated().map { i, path in
      PlaylistItem(path: path, gain: i % 3 == 1 ? -6 : 0)
    }
    let playback = OfflinePlayback()
    playback.player.playlist.append(contentsOf: items)
    playback.renderer.effects = effects
    let expected = playback.playToEnd()
    #expect(expected.count > 1_000_000)
    for threads in [1, 3] {
      var heard: [Float] = []
      Bounce(
        items, opening: { try $0.makeSource(pool: Self.pool) }, format: playback.renderer.format,
        effects: effects, sizes: Self.sizes(threads)
      ).render { heard.append(contentsOf: $0) }
      #expect(firstDifference(heard, expected) == nil, "\(threads) threads, \(heard.count)")
    }
  }

  @Test func `a file that hangs is given up, and the others are rendered`() throws {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let good = Fixtures.path("cut/05.flac")
    let found = bounced(
      ["hang 1", good, "hang 2", good], rate: 48_000, sizes: Self.sizes(2, timeout: 0.25)
    ) { path throws(SoundFileError) in
      if path.hasPrefix("hang") { return HangingSource(gate: gate) }
      return try SoundFile(path: path, pool: Self.pool)
    }
    let samples = try Fixtures.samples("cut/05.flac")
    #expect(firstDifference(found.heard, samples + samples) == nil)
    #expect(
      found.failures
        == ["hang 1", "hang 2"].map {
          "\($0): broken: no progress for 250 ms; given up on"
        })
  }

  @Test func `where more than four threads hang nothing more is tried`() {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let found = bounced(
      (1...20).map { "hang \($0)" }, rate: 48_000, sizes: Self.sizes(2, timeout: 0.1)
    ) { path throws(SoundFileError) in HangingSource(gate: gate) }
    #expect(found.failures.count < 10)
    #expect(found.failures.last?.contains("decoder threads hang") == true)
  }

  @Test func `a bounce that waits for a file is cancelled at once`() {
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    let opened = DispatchSemaphore(value: 0)
    let bounce = Bounce(
      [PlaylistItem(path: "hang")], format: AudioFormat(sampleRate: 48_000, layout: .stereo),
      sizes: Self.sizes(2)
    ) { path throws(SoundFileError) in
      opened.signal()
      return HangingSource(gate: gate)
    }
    DispatchQueue.global().async {
      opened.wait()
      bounce.cancel()
    }
    var count = 0
    bounce.render { _ in count += 1 }
    #expect(count == 0)
  }

  @Test func `what the taker throws ends it, and nothing more is handed over`() {
    struct Full: Error {}
    let bounce = Bounce(
      [PlaylistItem(path: Fixtures.path("album-uncut.flac"))],
      format: AudioFormat(sampleRate: 44_100, layout: .stereo), sizes: Self.sizes(2),
      open: Self.files)
    var count = 0
    #expect(throws: Full.self) {
      try bounce.render { (_: UnsafeBufferPointer<Float>) throws(Full) in
        count += 1
        if count == 3 { throw Full() }
      }
    }
    #expect(count == 3)
  }
}
