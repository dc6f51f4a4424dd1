// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Testing

/// A list of many files as one.
@Suite struct PlaylistTimelineTests {
  private static let format = AudioFormat(sampleRate: 8_000, layout: .mono)

  /// A sound of so many frames that cannot be opened before its gate is.
  private struct LateSource: AudioSource {
    let name = "late"
    let frameCount: Int64?
    let gate: DispatchSemaphore

    func open() async throws -> sending any AudioSourceReader {
      wait()
      return try await GeneratorSource.silence(
        frameCount: frameCount ?? 1, format: PlaylistTimelineTests.format
      ).open()
    }

    private func wait() {
      gate.wait()
      gate.signal()
    }
  }

  private func time(_ frames: Int64) -> MediaTime { MediaTime(value: frames, timescale: 8_000) }

  private func item(_ frames: Int64, title: String? = nil) -> PlaylistItem {
    var tags = Tags()
    tags.title = title
    return PlaylistItem(
      GeneratorSource.silence(frameCount: frames, format: Self.format),
      tags: title == nil ? nil : tags)
  }

  private func playback(_ items: [PlaylistItem]) -> (OfflinePlayback, PlaylistTimeline) {
    let playback = OfflinePlayback([], format: Self.format)
    playback.player.playlist.append(contentsOf: items)
    return (playback, PlaylistTimeline(player: playback.player))
  }

  @Test func `position and duration are those of the whole, to the frame`() {
    let (playback, timeline) = playback([item(8_001), item(4_003), item(16_007)])
    wait { timeline.duration == .exact(time(28_011)) }
    #expect(timeline.position == nil)
    playback.player.play()
    _ = playback.pull(9_000)
    #expect(timeline.position == time(9_000))
    playback.splicing { timeline.seek(to: time(12_004)) }
    wait { timeline.position == time(12_004) }
    wait { playback.player.currentItemIndex == 2 }
    playback.splicing { timeline.seek(by: .zero - time(1)) }
    wait { timeline.position == time(12_003) }
    wait { playback.player.currentItemIndex == 1 }
    playback.splicing { timeline.seek(to: time(4_321)) }
    wait { timeline.position == time(4_321) }
    wait { playback.player.currentItemIndex == 0 }
    playback.player.stop()
  }

  @Test func `steps in a row are as many steps, into other items, before any of them is heard`() {
    let (playback, timeline) = playback([item(8_001), item(4_003), item(16_007)])
    wait { timeline.duration == .exact(time(28_011)) }
    playback.player.play()
    _ = playback.pull(1_000)
    wait { timeline.position == time(1_000) }
    for _ in 0..<4 { timeline.seek(by: time(3_000)) }
    wait { timeline.position == time(13_000) && playback.player.currentItemIndex == 2 }
    for _ in 0..<3 { timeline.seek(by: .zero - time(2_000)) }
    wait { timeline.position == time(7_000) && playback.player.currentItemIndex == 0 }
    playback.player.stop()
  }

  @Test func `a seek to where lengths are not known waits for them`() {
    let gate = DispatchSemaphore(value: 0)
    let late = PlaylistItem(LateSource(frameCount: 5_000, gate: gate))
    let (playback, timeline) = playback([item(8_000), late, item(9_000)])
    playback.player.play()
    _ = playback.pull(100)
    wait { timeline.lengths.start(ofItemAt: 1) != nil }
    #expect(timeline.duration == .reading(atLeast: time(8_000), remaining: 2))
    guard case .waiting = timeline.seek(to: time(13_500)) else {
      Issue.record("it did not wait")
      return
    }
    gate.signal()
    wait { timeline.position == time(13_500) }
    #expect(timeline.duration == .exact(time(22_000)))
    wait { playback.player.currentItemIndex == 2 }
    playback.player.stop()
  }

  @Test func `a seek that waits is forgotten where playing goes elsewhere`() {
    let gate = DispatchSemaphore(value: 0)
    let late = PlaylistItem(LateSource(frameCount: 5_000, gate: gate))
    let (playback, timeline) = playback([item(8_000), late, item(9_000)])
    playback.player.play()
    _ = playback.pull(100)
    _ = timeline.seek(to: time(13_500))
    playback.splicing { playback.player.seek(to: time(7)) }
    gate.signal()
    wait { timeline.duration == .exact(time(22_000)) }
    playback.settle()
    #expect(playback.player.currentTime == time(7))
    playback.player.stop()
  }

  @Test func `an edit is followed, and lengths of items that stay are not read again`() async {
    let (playback, timeline) = playback([item(100), item(200)])
    wait { timeline.duration == .exact(time(300)) }
    playback.player.playlist.append(item(50))
    playback.player.playlist.remove(at: 0)
    wait { timeline.duration == .exact(time(250)) }
    #expect(timeline.lengths.start(ofItemAt: 1) == time(200))
  }

  @Test func `what tells no length is told to tell none`() {
    let endless = PlaylistItem(
      GeneratorSource(name: "endless", format: Self.format) { samples, _ in
        samples.update(repeating: 0)
      })
    let (_, timeline) = playback([item(100), endless, PlaylistItem(path: "/none"), item(7)])
    wait { timeline.duration == .indefinite(atLeast: time(107), unknown: 2) }
    #expect(timeline.lengths.length(ofItemAt: 1) == .unknown)
    #expect(timeline.lengths.start(ofItemAt: 2) == nil)
    if case .refused = timeline.seek(to: time(5_000)) {} else { Issue.record("not refused") }
  }

  @Test func `items are chapters of the whole`() {
    let (_, timeline) = playback([item(100, title: "One"), item(200, title: "Two")])
    wait { timeline.duration == .exact(time(300)) }
    #expect(timeline.chapters.map(\.title) == ["One", "Two"])
    #expect(timeline.chapters.map(\.start) == [.zero, time(100)])
    #expect(timeline.chapters.map(\.end) == [time(100), time(300)])
  }
}
