// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Foundation
@testable import Rendering
import TestFixtures
import Testing

/// A file that does not tell its length plays, and its length is told as soon as it is known.
@Suite struct LongFileTests {
  /// 5,000 MPEG frames of 26 ms without a count: 2 MB, too many to be read before the first sound.
  private static let frames: Int64 = 5_000 * 1_152

  private func longFile() throws -> String {
    let bytes = try Data(
      contentsOf: URL(fileURLWithPath: Fixtures.path("formats/mp3-cbr-no-header.mp3")))
    // Frames of 417 or 418 bytes, 49 of which are a period of 44.1 kHz at 128 kbit/s.
    var (stream, offset, count) = (Data(), 0, 0)
    while count < 5_000 {
      let padding = Int(bytes[offset + 2] >> 1 & 1)
      let end = offset + 417 + padding
      stream += bytes[offset..<end]
      count += 1
      offset = end + 417 + 1 <= bytes.count ? end : 0
    }
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("attacca-\(UUID().uuidString).mp3")
    try stream.write(to: path)
    return path.path
  }

  private func playback(_ path: String) -> OfflinePlayback {
    let format = AudioFormat(sampleRate: 44_100, layout: .stereo)
    return OfflinePlayback([path], format: format, fade: .none)
  }

  @Test func `a length that is not known before playing is told once, beside it`() async throws {
    let path = try longFile()
    defer { unlink(path) }
    let playback = playback(path)
    let events = playback.player.events
    playback.player.play()
    let first = playback.pull(4_410)
    var told: [MediaTime] = []
    let length = MediaTime(value: Self.frames, timescale: 44_100)
    for await event in events {
      if case .durationDidChange(let item, let duration) = event {
        #expect(item.path == path)
        told.append(duration)
        // Known is known: what is heard tells it, too.
        playback.waitForCurrent(path)
        #expect(playback.player.duration == length)
        let rest = playback.pullToEnd()
        #expect(Int64((first.count + rest.count) / 2) == Self.frames)
      }
      if event.isLast { break }
    }
    #expect(told == [length])
  }

  @Test func `a seek behind the end of a file without a length is its end`() async throws {
    let path = try longFile()
    defer { unlink(path) }
    let playback = playback(path)
    let next = "formats/mp3-cbr-no-header.mp3"
    playback.player.playlist.append(PlaylistItem(path: Fixtures.path(next)))
    playback.player.play()
    _ = playback.pull(4_410)
    playback.splicing { playback.player.seek(to: MediaTime(value: 100_000, timescale: 1)) }
    let expected = try Fixtures.samples(next)
    #expect(firstDifference(playback.pullToEnd(), expected) == nil)
  }

  @Test func `a file without a length plays backwards, once that is known`() throws {
    let path = try longFile()
    defer { unlink(path) }
    let forward = playback(path).playToEnd()
    let playback = playback(path)
    playback.player.rate = -1
    var backward: [Float] = []
    playback.renderer.renderToEnd { backward.append(contentsOf: $0) }
    #expect(backward.count == forward.count)
    let same = (0..<forward.count / 2).allSatisfy {
      let mirrored = forward.count - 2 * $0 - 2
      return abs(backward[2 * $0] - forward[mirrored]) < 1e-4
    }
    #expect(same)
  }

  /// 16 steps of half a second, where three seconds without a step are given up on.
  @Test func `a place that is looked for longer than files are waited for is waited for`()
    async throws
  {
    let decoder = DecoderWatchdog(timeout: 3) { path throws(SoundFileError) in
      try SearchedSource(path: path, framesPerStep: 1_000, seconds: 0.5)
    }
    let format = AudioFormat(sampleRate: RampSource.rate, layout: .mono)
    let playback = OfflinePlayback(
      ["ramp 1 16000"], format: format, fade: .none, decoder: decoder)
    let events = playback.player.events
    let player = playback.player
    try player.seek(to: player.playlist[0].id, offset: MediaTime(value: 7_500, timescale: 1_000))
    let expected = (15_000..<16_000).map { RampSource.sample(1, $0) }
    #expect(firstDifference(playback.playToEnd(), expected) == nil)
    var story: [String] = []
    for await event in events {
      switch event {
      case .waitingBegan(let wait): story.append("waits: \(wait)")
      case .waitingEnded: story.append("no longer")
      case .itemsDidFail(let failures): story += failures.map { "failed: \($0.error)" }
      default: break
      }
      if event.isLast { break }
    }
    #expect(story.first == "waits: ramp 1 16000 is being read")
    #expect(Set(story) == ["waits: ramp 1 16000 is being read", "no longer"])
  }
}
