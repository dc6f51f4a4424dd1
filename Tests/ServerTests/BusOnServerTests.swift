// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestSeeds
import TestServers
import Testing

/// Voices of one bus, each heard in a channel of its own.
@Suite struct BusOnServerTests {
  /// Players on channels 0 and 1, the second of which begins once the first is heard.
  private func playTwo(
    on place: BusOnSink
  ) throws -> (music: SampleBufferPlayer, voice: SampleBufferPlayer) {
    let (music, voice) = (place.makePlayer(in: 0), place.makePlayer(in: 1))
    music.play()
    _ = try place.capture.firstSoundFrame()
    voice.play()
    try place.listen(frames: 4_800)
    return (music, voice)
  }

  @Test(arguments: [Latency.responsive, .balanced])
  func `fifty seeks and edits of one voice leave the other bit-exact at the monitor`(
    latency: Latency
  ) async throws {
    try await edit(seed: UInt64.random(in: 0...(.max)), latency)
  }

  /// A device that is full by the edits of one asks for nothing: with these the other ran dry in five of six runs.
  @Test func `a voice beside one that is edited before the device asks for more does not run dry`()
    async throws
  {
    try await edit(seed: 3_081_848_034_169_558_681, .balanced)
  }

  private func edit(seed: UInt64, _ latency: Latency) async throws {
    try await onOwnThread {
      print("fifty edits beside another voice: seed \(seed)")
      var random = SplitMix64(seed: seed)
      let place = try BusOnSink(TestedServer.shared, latency: latency)
      let (music, voice) = try playTwo(on: place)
      for _ in 0..<50 {
        let frame = Int64.random(in: 0..<900_000, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0...2: voice.seek(to: MediaTime(value: frame, timescale: 48_000))
        case 3: voice.pause()
        case 4: voice.volume = Float.random(in: 0...1, using: &random)
        default:
          voice.playlist.insert(
            contentsOf: [PlaylistItem(BusOnSink.numbers(in: 1))],
            at: Int.random(in: 0...voice.playlist.count, using: &random))
        }
        if Bool.random(using: &random) { voice.play() }
        try place.listen(frames: Int.random(in: 480..<9_600, using: &random))
      }
      let heard = place.heard(in: 0)
      #expect(heard.count > 50 * 480)
      let wrong = heard.indices.first { heard[$0] != $0 + 1 }
      #expect(wrong == nil, "seed \(seed): \(heard[wrong ?? 0]) at \(wrong ?? 0)")
      #expect(place.heard(in: 1).count > 1_000)
      #expect(music.renderer.underrunCount == 0 && music.renderer.lateSpliceCount == 0)
    }
  }

  @Test
  func
    `behind an effect of 128 frames fifty seeks of one voice leave the other bit-exact, and the bus' tap tells both`()
    async throws
  {
    try await onOwnThread {
      let seed = UInt64.random(in: 0...(.max))
      print("fifty seeks behind an effect: seed \(seed)")
      var random = SplitMix64(seed: seed)
      let place = try BusOnSink(TestedServer.shared)
      place.bus.effects = [TransparentEffect(latency: 128)]
      let tapped = TappedQueue(place.bus.tap())
      let (music, voice) = try playTwo(on: place)
      for _ in 0..<50 {
        let frame = Int64.random(in: 0..<900_000, using: &random)
        voice.seek(to: MediaTime(value: frame, timescale: 48_000))
        try place.listen(frames: Int.random(in: 480..<9_600, using: &random))
      }
      // A pause, too, has all that was given summed and processed again, which a debug build does late.
      #expect(music.renderer.underrunCount == 0 && music.renderer.lateSpliceCount == 0)
      music.pause()
      voice.pause()
      try place.listen(frames: 24_000)
      let heard = place.heard(in: 0)
      // The last ones fade out.
      let end = heard.count - 480
      let wrong = heard.prefix(end).indices.first { heard[$0] != $0 + 1 }
      #expect(wrong == nil, "seed \(seed): \(heard[wrong ?? 0]) at \(wrong ?? 0)")
      #expect(end > 50 * 480 && place.heard(in: 1).count > 1_000)
      let told = tapped.finish().flatMap { audio in audio.buffer.withFrames { Array($0) } }
      let recording = place.capture.recording
      let first = try #require(recording.firstIndex { $0 != 0 }) & ~1
      let begin = try #require(told.firstIndex { $0 != 0 }) & ~1
      let count = 2 * (end - 480)
      let late = voice.renderer.lateSpliceCount
      #expect(
        Array(told[begin..<(begin + count)]) == Array(recording[first..<(first + count)])
          || late > 0, "seed \(seed)")
    }
  }

  @Test func `a voice that runs dry does not stop the other, and loses nothing`() async throws {
    try await onOwnThread {
      let place = try BusOnSink(TestedServer.shared)
      let music = place.makePlayer(in: 0)
      music.play()
      _ = try place.capture.firstSoundFrame()
      try place.listen(frames: 48_000)
      let (voice, synchronizer) = (place.bus.makeRenderer(), RenderSynchronizer())
      synchronizer.addRenderer(voice)
      func enqueue(_ frames: Range<Int>) {
        let samples = frames.flatMap { frame -> [Float] in
          [0, Float(frame + 1) / Float(Heard.frameLimit)]
        }
        voice.enqueue(
          SampleBuffer(
            samples: samples, format: TestSound.format,
            at: MediaTime(value: Int64(frames.lowerBound), timescale: 48_000)))
      }
      enqueue(0..<24_000)
      synchronizer.rate = 1
      try place.wait("running dry") { voice.underrunCount == 1 }
      try place.listen(frames: 9_600)
      enqueue(24_000..<48_000)
      voice.finishEnqueuing()
      try place.wait("the end") {
        synchronizer.currentTime() == MediaTime(value: 48_000, timescale: 48_000)
      }
      try place.listen(frames: 9_600)
      let heard = place.heard(in: 0)
      #expect(heard == Array(1...heard.count))
      #expect(music.renderer.underrunCount == 0 && voice.underrunCount == 1)
      // All is there, but what a late start is told to have lost, and 5 ms that come in behind the gap.
      let numbers = place.heard(in: 1).filter { $0 != 0 }
      let first = numbers.first ?? 0
      #expect(first == 1 || voice.lateSpliceCount > 0, "from \(first) on")
      #expect(Array(numbers.prefix(24_001 - first)) == Array(first...24_000))
      #expect(Array(numbers.suffix(23_760)) == Array(24_241...48_000))
    }
  }

  @Test func `a voice that starts beside another is heard from its first frame on`() async throws {
    try await onOwnThread {
      let place = try BusOnSink(TestedServer.shared)
      let music = place.makePlayer(in: 0)
      music.play()
      _ = try place.capture.firstSoundFrame()
      try place.listen(frames: 48_000)
      var random = SplitMix64(seed: .random(in: 0...(.max)))
      var lost: [Int] = []
      defer { print("starts beside another voice: \(lost.count) of 20 late, lost \(lost)") }
      for _ in 0..<20 {
        try place.listen(frames: Int.random(in: 480..<4_800, using: &random))
        let before = place.capture.frameCount
        let voice = place.makePlayer(in: 1, fade: .none)
        voice.play()
        try place.wait("the voice") { voice.currentTime > .zero }
        try place.listen(frames: 4_800)
        voice.pause()
        // PipeWire may take a while, and what comes late would count as the next one's.
        try place.wait("the pause") {
          let last = place.capture.recording.suffix(2 * 4_800)
          return stride(from: last.startIndex + 1, to: last.endIndex, by: 2).allSatisfy {
            last[$0] == 0
          }
        }
        let heard = place.heard(in: 1, from: before)
        // On a machine that is busy with something else a start may be late, which is told.
        let first = heard.first ?? 0
        #expect(first == 1 || voice.renderer.lateSpliceCount > 0, "from \(first) on")
        if first != 1 { lost.append(first - 1) }
        #expect(heard == Array(first..<(first + heard.count)))
      }
      #expect(music.renderer.lateSpliceCount == 0)
    }
  }

  @Test func `voices come and go beside one that stays`() async throws {
    try await onOwnThread {
      let place = try BusOnSink(TestedServer.shared)
      let music = place.makePlayer(in: 0)
      music.play()
      _ = try place.capture.firstSoundFrame()
      for _ in 0..<8 {
        let voice = place.makePlayer(in: 1)
        voice.play()
        try place.wait("the voice") { voice.currentTime > .zero }
        try place.listen(frames: 4_800)
      }
      try place.wait("the last voice's end") { place.bus.voiceCount == 1 }
      try place.listen(frames: 4_800)
      let heard = place.heard(in: 0)
      #expect(heard == Array(1...heard.count))
      #expect(music.renderer.underrunCount == 0)
      music.pause()
      try place.listen(frames: 24_000)
      #expect(place.capture.recording.suffix(9_600).allSatisfy { $0 == 0 })
    }
  }

  @Test func `music goes down with an announcement's first frame, and comes back behind its last`()
    async throws
  {
    try await onOwnThread {
      let place = try BusOnSink(TestedServer.shared)
      func renderer(_ left: Float, _ right: Float, seconds: Int) -> (
        AudioRenderer, RenderSynchronizer
      ) {
        let (renderer, synchronizer) = (place.bus.makeRenderer(), RenderSynchronizer())
        synchronizer.addRenderer(renderer)
        let samples = (0..<48_000 * seconds).flatMap { _ in [left, right] }
        renderer.enqueue(SampleBuffer(samples: samples, format: TestSound.format, at: .zero))
        renderer.finishEnqueuing()
        return (renderer, synchronizer)
      }
      let (music, words) = (renderer(0.5, 0, seconds: 8), renderer(0, 0.25, seconds: 1))
      let (attack, release) = (4_800, 24_000)
      place.bus.duck(
        [music.0], by: -12, attack: MediaTime(value: 1, timescale: 10), while: words.0)
      music.1.rate = 1
      _ = try place.capture.firstSoundFrame()
      try place.listen(frames: 24_000)
      words.1.rate = 1
      try place.wait("the announcement's end") {
        words.1.currentTime() == MediaTime(value: 48_000, timescale: 48_000)
      }
      try place.listen(frames: 36_000)
      let recording = place.capture.recording
      let frames = recording.indices.filter { $0 % 2 == 1 && recording[$0] != 0 }.map { $0 / 2 }
      let (begin, end) = (try #require(frames.first), try #require(frames.last) + 1)
      // What a late start is told to have lost.
      #expect(end - begin == 48_000 || words.0.lateSpliceCount > 0)
      let level = Float(pow(10, -12.0 / 20))
      var farthest: Float = 0
      for frame in (end - 48_000)..<(end + 30_000) where frame >= begin {
        let down = Float(min(frame - end + 48_000, attack)) / Float(attack)
        let back = Float(max(0, min(frame - end, release))) / Float(release)
        let expected = 0.5 * (1 + (level - 1) * down * (1 - back))
        farthest = max(farthest, abs(recording[2 * frame] - expected))
      }
      #expect(farthest <= 1e-6)
      #expect(recording[2 * begin - 2] == 0.5)
      #expect(music.0.underrunCount == 0 && music.0.lateSpliceCount == 0)
    }
  }
}
