// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// The last frame is heard, then the stream is corked.
@Suite struct EndTests {
  private static func expectEnd(of lengths: [Int], _ latency: Latency) throws {
    let sound = try TestSound()
    let paths = try lengths.enumerated().map { try sound.numbered($0 + 1, frames: $1) }
    let playback = try ServerPlayback(TestedServer.shared, paths, latency: latency)
    playback.player.play()
    let heard = Heard.trimmed(try playback.finish())
    #expect(heard == lengths.enumerated().map { .frames(item: $0 + 1, 0..<$1) })
    #expect(playback.renderer.underrunCount == 0)
    #expect(try SinkInput.all(of: playback).map(\.corked) == [true])
    #expect(playback.player.rate == 0)
    #expect(playback.player.currentItem == nil)
    let names = lengths.indices.map { "\($0 + 1).wav" }
    // The item may be current before the rate is told, as both come from the same call.
    let told = playback.events.sentences
    #expect(told.count { $0 == "rate 1" } == 1)
    #expect(
      told.filter { $0 != "rate 1" }
        == names.flatMap { ["current \($0)", "finished \($0)"] } + ["rate 0", "current nil", "end"])
    // It can be played again.
    playback.player.play()
    try playback.events.wait("the second end", count: 2) { $0 == "end" }
    try playback.listen(frames: 4_800)
    #expect(Heard.sound(playback.capture.recording) == heard + heard)
  }

  @Test(
    arguments: [[1], [100], [1, 1, 1], [30_000, 777]],
    [Latency.powerSaving, .balanced])
  func `is reached to the frame`(lengths: [Int], latency: Latency) async throws {
    try await onOwnThread { try Self.expectEnd(of: lengths, latency) }
  }

  @Test func `is reached through twenty items of 5 ms`() async throws {
    try await onOwnThread {
      try Self.expectEnd(of: Array(repeating: 240, count: 20), .powerSaving)
    }
  }
}
