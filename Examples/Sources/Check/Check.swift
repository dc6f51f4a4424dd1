// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation

/// Renders all kinds of sources through a player, as fast as they come, and compares with what they are.
///
///     swift run Check song.flac     # ends with 1 where anything is not to the bit
@main struct Check {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      print("Check FLAC")
      exit(64)
    }
    let path = CommandLine.arguments[1]
    // Those that wait take 6 s each, beside each other.
    async let sources = sourcesFollowEachOther(path)
    async let blocking = blockingReadFails()
    async let waiting = waitingLosesNothing()
    let results = [try await sources, await blocking, await waiting]
    for (isRight, text) in results { print("\(isRight ? "ok" : "WRONG"): \(text)") }
    exit(results.allSatisfy { $0.0 } ? 0 : 1)
  }

  /// Three generators, a FLAC in memory and a clip of a file are one sound.
  private static func sourcesFollowEachOther(_ path: String) async throws -> (Bool, String) {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let file = try SoundFile(path: path, pool: FramePool())
    let (format, channels) = (file.format, file.format.channelCount)
    var whole: [Float] = []
    while let chunk = try file.read(frames: 65_536) {
      whole += UnsafeBufferPointer(
        start: chunk.storage.samples, count: chunk.frameCount * channels)
    }
    func tone(_ number: Int) -> GeneratorSource {
      GeneratorSource(name: "tone \(number)", format: format, frameCount: 10_001) {
        samples, first in
        for i in samples.indices {
          samples[i] = Float(Int(first) * channels + i + number) / 131_072
        }
      }
    }
    let tones = (1...3).map { number in
      (0..<(10_001 * channels)).map { Float($0 + number) / 131_072 }
    }
    let rate = Int32(format.sampleRate)
    let items = [
      PlaylistItem(tone(1)), PlaylistItem(MemorySource(bytes, name: "memory")),
      PlaylistItem(tone(2)),
      PlaylistItem(
        path: path, start: MediaTime(value: 1_003, timescale: rate),
        end: MediaTime(value: 9_777, timescale: rate)),
      PlaylistItem(tone(3)),
    ]
    let clip = whole[(1_003 * channels)..<(9_777 * channels)]
    let expected = tones[0] + whole + tones[1] + clip + tones[2]
    let heard = await render(items, format: format).samples
    return (
      heard == expected,
      "\(items.count) sources of all kinds are \(heard.count / channels) frames to the bit"
    )
  }

  /// A read that does not answer for 6 s is an item that fails, and the next one plays.
  private static func blockingReadFails() async -> (Bool, String) {
    let items = [PlaylistItem(SlowSource(name: "blocking", isBlocking: true)), PlaylistItem(ones)]
    let (heard, told) = await render(items, limit: MediaTime(value: 5, timescale: 1))
    let isRight =
      heard == [Float](repeating: 0.5, count: 24_000) + [Float](repeating: 1, count: 4_800)
      && told.contains("blocking failed") && told.last == "end"
    return (isRight, "a read that blocks for 6 s: \(told.joined(separator: ", "))")
  }

  /// A source that says that it waits for 6 s is waited for.
  private static func waitingLosesNothing() async -> (Bool, String) {
    let items = [PlaylistItem(SlowSource(name: "waiting", isBlocking: false)), PlaylistItem(ones)]
    let (heard, told) = await render(items, limit: MediaTime(value: 5, timescale: 1))
    let isRight =
      heard == [Float](repeating: 0.5, count: 48_000) + [Float](repeating: 1, count: 4_800)
      && told == ["waiting waits: one moment", "goes on", "end"]
    return (isRight, "a source that waits for 6 s: \(told.joined(separator: ", "))")
  }

  private static let mono = AudioFormat(sampleRate: 48_000, layout: .mono)

  private static let ones = GeneratorSource(name: "ones", format: mono, frameCount: 4_800) {
    samples, _ in samples.update(repeating: 1)
  }

  /// All frames of `items` as a player has them heard, and what it told.
  private static func render(
    _ items: [PlaylistItem], format: AudioFormat = mono,
    limit: MediaTime = MediaTime(value: 30, timescale: 1)
  ) async -> (samples: [Float], told: [String]) {
    let renderer = OfflineRenderer(format: format)
    let player = SampleBufferPlayer(renderer: renderer, fade: .none)
    player.waitingLimit = limit
    let events = player.events
    player.playlist.append(contentsOf: items)
    player.play()
    async let told = story(events)
    // A thread of its own: it blocks while there is nothing to be had, and Swift's are few.
    let samples = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var samples: [Float] = []
        renderer.renderToEnd { samples += $0 }
        continuation.resume(returning: samples)
      }
    }
    return (samples, await told)
  }

  private static func story(_ events: EventSequence<PlaybackEvent>) async -> [String] {
    var story: [String] = []
    for await event in events {
      switch event {
      case .waitingBegan(let wait) where wait.reason == .source: story.append("\(wait)")
      case .waitingEnded(let wait) where wait.reason == .source: story.append("goes on")
      case .itemsDidFail(let failures): story += failures.map { "\($0.item.path) failed" }
      case .endOfQueue, .failed: return story + ["end"]
      default: break
      }
    }
    return story
  }
}
