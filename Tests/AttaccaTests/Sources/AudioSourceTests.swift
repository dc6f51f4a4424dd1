// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import Synchronization
import TestFixtures
import Testing

/// What is not a file plays as files do.
@Suite struct AudioSourceTests {
  private func playback(_ items: [PlaylistItem]) -> OfflinePlayback {
    let playback = OfflinePlayback(format: StepSource.format, fade: .none)
    playback.player.playlist.append(contentsOf: items)
    return playback
  }

  /// What waited, failed and ended, in words.
  private func story(_ events: EventSequence<PlaybackEvent>) async -> [String] {
    var story: [String] = []
    for await event in events {
      switch event {
      case .waitingBegan(let wait): story.append("\(wait)")
      case .itemsDidFail(let failures): story += failures.map(\.description)
      default: break
      }
      if event.isLast { break }
    }
    return story
  }

  private func generator(_ first: Int64, _ count: Int64, rate: Int = 48_000) -> GeneratorSource {
    GeneratorSource(
      name: "ramp", format: AudioFormat(sampleRate: rate, layout: .mono), frameCount: count
    ) { samples, frame in
      for i in samples.indices { samples[i] = StepSource.sample(first + frame + Int64(i)) }
    }
  }

  @Test func `generators, a FLAC in memory and a clip of a file follow each other to the bit`()
    throws
  {
    let flac = Fixtures.path("album/01 flac.flac")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: flac)))
    let whole = try Fixtures.samples("album/01 flac.flac")
    let format = try SoundFile(path: flac, pool: FramePool()).format
    let rate = Int32(format.sampleRate)
    func tone(_ number: Int) -> GeneratorSource {
      GeneratorSource(name: "tone \(number)", format: format, frameCount: 7_001) { samples, first in
        for i in samples.indices {
          samples[i] = Float(Int(first) * format.channelCount + i + number) / 131_072
        }
      }
    }
    func expected(_ number: Int) -> [Float] {
      (0..<7_001 * format.channelCount).map { Float($0 + number) / 131_072 }
    }
    let clip = PlaylistItem(
      path: flac, start: MediaTime(value: 1_003, timescale: rate),
      end: MediaTime(value: 9_777, timescale: rate))
    let items = [
      PlaylistItem(tone(1)), PlaylistItem(MemorySource(bytes, name: "memory")),
      PlaylistItem(tone(2)), clip, PlaylistItem(tone(3)),
    ]
    let channels = format.channelCount
    let all =
      expected(1) + whole + expected(2) + whole[(1_003 * channels)..<(9_777 * channels)]
      + expected(3)
    let playback = OfflinePlayback(format: format, fade: .none)
    playback.player.playlist.append(contentsOf: items)
    #expect(firstDifference(playback.playToEnd(), all) == nil)
    // Without a player, on all cores.
    var rendered: [Float] = []
    let bounce = Bounce(items, format: format)
    bounce.render { rendered.append(contentsOf: $0) }
    #expect(firstDifference(rendered, all) == nil)
  }

  @Test func `a source that waits loses no frame, and says why`() async {
    let isThere = Atomic<Bool>(false)
    let answers = Atomic<Int>(0)
    let source = StepSource(
      name: "radio", frameCount: 96_000, place: 30_011,
      step: .waiting(reason: "buffering") {
        answers.add(1, ordering: .relaxed)
        return isThere.load(ordering: .relaxed)
      })
    let playback = playback([
      PlaylistItem(generator(0, 1_000)), PlaylistItem(source), PlaylistItem(generator(500, 1_000)),
    ])
    // A wait is none of the hangs that end an item.
    playback.player.waitingLimit = MediaTime(value: 1, timescale: 1)
    let (events, story) = (playback.player.events, playback.player.events)
    playback.player.play()
    let reader = playback.pulledToEnd()
    for await event in events {
      if case .waitingBegan(let wait) = event, wait.reason == .source { break }
    }
    let wait = playback.player.waiting
    #expect(wait?.detail == "buffering")
    let time = playback.player.currentTime
    // It is asked 5 ms after each answer: for 1.5 s, and the limit is one.
    let asked = answers.load(ordering: .relaxed)
    AttaccaTests.wait { answers.load(ordering: .relaxed) >= asked + 300 }
    #expect(playback.player.waiting == wait)
    #expect(playback.player.currentTime == time)
    isThere.store(true, ordering: .relaxed)
    let heard = await reader.value
    let expected =
      StepSource.samples(0..<1_000) + StepSource.samples(0..<96_000)
      + StepSource.samples(500..<1_500)
    #expect(firstDifference(heard, expected) == nil)
    #expect(await self.story(story) == ["radio waits: buffering"])
  }

  @Test func `a source that does not answer fails, is told to end, and the next item plays`()
    async
  {
    let source = StepSource(name: "stuck", frameCount: 96_000, place: 12_000, step: .hanging)
    let playback = playback([PlaylistItem(source), PlaylistItem(generator(0, 1_000))])
    playback.player.waitingLimit = MediaTime(value: 1, timescale: 2)
    let events = playback.player.events
    let heard = playback.playToEnd()
    #expect(heard == StepSource.samples(0..<12_000) + StepSource.samples(0..<1_000))
    #expect(
      await story(events).filter { !$0.hasSuffix("is being read") } == [
        "stuck: broken: no progress for 500 ms; given up on"
      ])
    wait { source.cancelled.count.load(ordering: .relaxed) == 1 }
  }

  @Test func `a source's own error is the failure's`() async {
    let failure = StepSource.Failure(number: 7)
    let sources = [
      StepSource(name: "refused", frameCount: 1_000, refusal: failure),
      StepSource(name: "cut", frameCount: 1_000, place: 300, step: .throwing(failure)),
    ]
    let playback = playback(
      sources.map { PlaylistItem($0) } + [PlaylistItem(generator(0, 1_000))])
    let events = playback.player.events
    #expect(
      playback.playToEnd() == StepSource.samples(0..<300) + StepSource.samples(0..<1_000))
    var failures: [ItemFailure] = []
    for await event in events {
      if case .itemsDidFail(let more) = event { failures += more }
      if event.isLast { break }
    }
    #expect(failures.map(\.item.path) == ["refused", "cut"])
    #expect(failures.map { $0.error as? StepSource.Failure } == [failure, failure])
    #expect("\(failures[0])" == "refused: Failure(number: 7)")
  }

  @Test(arguments: [0, -1, 1_000_000])
  func `an answer that no reader may give is an error that names the source`(count: Int) async {
    let source = StepSource(
      name: "liar", frameCount: 1_000, place: 100, step: .answering(count))
    let playback = playback([PlaylistItem(source)])
    let events = playback.player.events
    #expect(playback.playToEnd() == StepSource.samples(0..<100))
    let told = await story(events)
    #expect(told.count == 1 && told[0].hasPrefix("liar: broken: \(count) frames where 1 to"))
  }

  @Test func `a clip at a gain is sought in, repeated and turned round as a file is`() {
    let half = Float(pow(10, -6.0 / 20))
    let item = PlaylistItem(
      generator(0, 96_000), start: MediaTime(value: 10_000, timescale: 48_000),
      end: MediaTime(value: 40_000, timescale: 48_000), gain: -6)
    func part(_ frames: Range<Int64>) -> [Float] {
      StepSource.samples((frames.lowerBound + 10_000)..<(frames.upperBound + 10_000)).map {
        $0 * half
      }
    }
    let playback = playback([item])
    let player = playback.player
    player.setRepeatMode(.one)
    player.play()
    #expect(playback.pull(31_000) == part(0..<30_000) + part(0..<1_000))
    #expect(player.duration == MediaTime(value: 30_000, timescale: 48_000))
    playback.splicing { player.seek(to: MediaTime(value: 20_000, timescale: 48_000)) }
    #expect(playback.pull(500) == part(20_000..<20_500))
    player.renderer.audioTimePitchAlgorithm = .varispeed
    player.rate = -1
    playback.settle()
    // Behind the crossfade at which it turns.
    let back = Array(playback.pull(2_000).suffix(400))
    let first = Int64((back[0] / half * 65_536).rounded()) - 1
    let expected = StepSource.samples(first - 399..<first + 1).reversed().map { $0 * half }
    #expect(firstDifference(back, expected) == nil)
  }

  @Test func `an item brings its own tags and whatever is the caller's`() {
    var tags = Tags()
    tags.title = "Mine"
    let item = PlaylistItem(generator(0, 48_000), tags: tags, metadata: 42)
    #expect(item.metadata as? Int == 42)
    #expect(item.path == "ramp")
    let playback = playback([item])
    playback.player.play()
    _ = playback.pull(100)
    playback.waitForCurrent("ramp")
    #expect(playback.player.currentSpan?.tags.title == "Mine")
  }

  /// A source that reads a file through a reader of its own, as embedders' do.
  private struct Wrapped: AudioSource {
    let file: FileSource
    var name: String { "wrapped" }
    func open() async throws -> sending any AudioSourceReader { try await file.open() }
  }

  @Test func `a source that wraps a file is the file to the bit`() throws {
    let path = Fixtures.path("formats/flac24.flac")
    let format = try SoundFile(path: path, pool: FramePool()).format
    let playback = OfflinePlayback(format: format, fade: .none)
    playback.player.playlist.append(PlaylistItem(Wrapped(file: FileSource(path: path))))
    let samples = try Fixtures.samples("formats/flac24.flac")
    #expect(firstDifference(playback.playToEnd(), samples) == nil)
  }

  @Test func `silence lasts as long as it is said to`() {
    let silence = GeneratorSource.silence(frameCount: 12_345, format: StepSource.format)
    let playback = playback([PlaylistItem(silence), PlaylistItem(generator(0, 10))])
    #expect(
      playback.playToEnd() == [Float](repeating: 0, count: 12_345) + StepSource.samples(0..<10))
  }
}
