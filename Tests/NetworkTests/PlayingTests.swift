// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
import Synchronization
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// Items on a network, played to the end by a player.
@Suite("Playing over HTTP") struct PlayingTests {
  let server = RangeServer.shared

  private func serve(_ path: String, as name: String) throws -> String {
    try server.put(Array(Data(contentsOf: URL(fileURLWithPath: Fixtures.path(path)))), name)
    return name
  }

  private func item(_ mode: String, _ name: String) throws -> PlaylistItem {
    PlaylistItem(try #require(HTTPSource(server.address(mode, name))))
  }

  @Test func `a stall is told and its end, and no frame is lost at it or at the joint`()
    async throws
  {
    let (first, second) = ("cut/02.wav", "cut/01.flac")
    let items = [
      try item("stall=3000", try serve(first, as: "stalled.wav")),
      try item("ranges", try serve(second, as: "next.flac")),
    ]
    let format = try SoundFile(path: Fixtures.path(first), pool: FramePool()).format
    let (samples, told) = try await PlayedItems.play(items, format: format)
    #expect(
      firstDifference(samples, try Fixtures.samples(first) + Fixtures.samples(second)) == nil)
    #expect(
      told == [
        "plays stalled.wav", "+ source buffering", "- source buffering", "plays next.flac", "end",
      ], "\(told)")
  }

  @Test func `behind an address that fails the next item plays`() async throws {
    let path = "cut/01.flac"
    let name = try serve(path, as: "next.flac")
    let items = [
      try item("ranges", name), try item("status=404", "gone.flac"), try item("ranges", name),
    ]
    let format = try SoundFile(path: Fixtures.path(path), pool: FramePool()).format
    let (samples, told) = try await PlayedItems.play(items, format: format)
    let expected = try Fixtures.samples(path)
    #expect(firstDifference(samples, expected + expected) == nil)
    #expect(told.contains("fails gone.flac"))
  }

  @Test func `a long file that comes slowly is heard long before it is there`() async throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Fixtures.path("formats/mp3-cbr.mp3")))
    try server.put(Array((0..<20).map { _ in bytes }.joined()), "slow.mp3")
    let source = try #require(HTTPSource(server.address("throttled=100000", "slow.mp3")))
    let reader = try await source.open()
    var block = [Float](repeating: 0, count: 4_000)
    while case .wait = try block.withUnsafeMutableBufferPointer({ try reader.read(into: $0) }) {}
    let portion = try #require(source.loadedPortion)
    #expect(portion < 0.5, "\(portion)")
    #expect(source.loadedTimeRanges.first?.start == .zero)
    reader.cancel()
  }

  @Test func `what has been loaded is asked for once, by all readers`() async throws {
    let name = try serve("album/03 wav.wav", as: "once.wav")
    let source = try #require(HTTPSource(server.address("ranges", name)))
    let first = try await source.open()
    let all = Heard.reading(first)
    try first.seek(to: 0)
    let again = try await Heard.of(source)
    #expect(firstDifference(all.samples, Heard.reading(first).samples) == nil)
    #expect(firstDifference(all.samples, again.samples) == nil)
    #expect(try server.requests("ranges", name) == ["-"])
    #expect(source.isPlaybackLikelyToKeepUp)
    #expect(source.loadedPortion == 1)
  }

  @Test func `a title is told when its frame is heard, and not before`() async throws {
    try server.put(
      Array(Data(contentsOf: URL(fileURLWithPath: Fixtures.path("formats/mp3-cbr-no-header.mp3")))),
      "heard.mp3")
    let format = try SoundFile(
      path: Fixtures.path("formats/mp3-cbr-no-header.mp3"), pool: FramePool()
    ).format
    let renderer = OfflineRenderer(format: format)
    let player = SampleBufferPlayer(renderer: renderer, fade: .none)
    player.playlist.append(try item("icy=2000", "heard.mp3"))
    let (told, isTold) = (PlayedItems.Told(), DispatchSemaphore(value: 0))
    let events = player.events.observe(on: DispatchQueue(label: "test.titles")) { event in
      guard case .tagsDidChange(_, let tags) = event else { return }
      told.add("\(tags.title ?? "")")
      isTold.signal()
    }
    player.play()
    // Two thousand bytes of 128 kbit/s are an eighth of a second; what is decoded ahead is a second and more.
    let heard = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var (frames, block) = (0, [Float](repeating: 0, count: 2 * 512))
        while told.lines.isEmpty, frames < format.sampleRate {
          frames += renderer.render(frames: 512, into: &block)
          _ = isTold.wait(timeout: .now() + .milliseconds(20))
        }
        continuation.resume(returning: frames)
      }
    }
    events.cancel()
    player.stop()
    #expect(told.lines.first == "It''s 0")
    let expected = 2_000 * 8 * format.sampleRate / 128_000
    #expect((expected - 1_152...expected + 3 * 1_152).contains(heard), "\(heard), not \(expected)")
  }
}
