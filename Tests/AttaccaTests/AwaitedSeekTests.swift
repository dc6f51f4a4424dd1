// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import Testing

/// Seeks that somebody waits for, and offsets that are no place.
@Suite(.timeLimit(.minutes(5))) struct AwaitedSeekTests {
  private func playback() -> OfflinePlayback {
    OfflinePlayback([Fixtures.path("cut/uncut.flac")], fade: .none)
  }

  private static func time(_ frame: Int64) -> MediaTime {
    MediaTime(value: frame, timescale: 48_000)
  }

  @Test func `a seek while paused completes when it is what will be heard next`() async throws {
    let uncut = try Fixtures.samples("cut/uncut.flac")
    let playback = playback()
    playback.player.play()
    _ = playback.pull(1_000)
    playback.player.pause()
    #expect(await playback.player.seekAndWait(to: Self.time(20_000)))
    #expect(playback.player.currentTime == Self.time(20_000))
    #expect(await playback.player.seekAndWait(by: Self.time(500)))
    #expect(playback.player.currentTime == Self.time(20_500))
    playback.player.play()
    #expect(
      firstDifference(playback.pull(4_000), Array(uncut[41_000..<49_000])) == nil)
  }

  @Test func `a seek before the first play completes`() async {
    let playback = playback()
    playback.player.jump(to: 0)
    #expect(await playback.player.seekAndWait(to: Self.time(5_000)))
    #expect(playback.player.currentTime == Self.time(5_000))
  }

  @Test func `a pause before the first frame is heard completes the seek`() async {
    let playback = playback()
    let player = playback.player
    player.play()
    _ = playback.pull(1_000)
    let before = playback.renderer.publishedMap.read().last.traversal
    async let isThere = player.seekAndWait(to: Self.time(20_000))
    // Nobody pulls: it is spliced in, and not heard.
    while playback.renderer.publishedMap.read().last.traversal == before { await Task.yield() }
    player.pause()
    #expect(await isThere)
  }

  @Test func `a seek to the end of a paused list is not heard`() async {
    let playback = playback()
    playback.player.jump(to: 0)
    #expect(await !playback.player.seekAndWait(to: .positiveInfinity))
  }

  @Test(arguments: [MediaTime.invalid, .indefinite])
  func `an offset that is no place is refused, and nothing happens`(offset: MediaTime) async throws
  {
    let playback = playback()
    let player = playback.player
    player.play()
    _ = playback.pull(1_000)
    let state = player.playlist.queue.snapshot
    #expect(player.seek(to: offset).identities == [])
    #expect(player.seek(by: offset).identities == [])
    #expect(player.jump(to: 0, offset: offset).identities == [])
    #expect(try player.seek(to: player.playlist[0].id, offset: offset).identities == [])
    #expect(await !player.seekAndWait(to: offset))
    #expect(await !player.seekAndWait(by: offset))
    #expect(player.playlist.queue.snapshot.generation == state.generation)
    let uncut = try Fixtures.samples("cut/uncut.flac")
    #expect(firstDifference(playback.pull(1_000), Array(uncut[2_000..<4_000])) == nil)
  }

  @Test func `infinity is the item's end or its beginning`() {
    // What cannot be opened would end playing between two seeks.
    let gate = OpeningGate(holding: "none")
    defer { gate.letGo() }
    let queue = OfflinePlayback(["none"], decoder: gate.decoder).player
    queue.jump(to: 0)
    queue.seek(to: .positiveInfinity)
    #expect(queue.playlist.queue.snapshot.start.offset == PlayedRange.end)
    queue.seek(by: .negativeInfinity)
    #expect(queue.playlist.queue.snapshot.start.offset == .zero)
    queue.seek(by: .positiveInfinity)
    #expect(queue.playlist.queue.snapshot.start.offset == PlayedRange.end)
    queue.seek(to: .negativeInfinity)
    #expect(queue.playlist.queue.snapshot.start.offset == .zero)
  }

  @Test func `a restart at an offset that is no place traps`() async {
    let end = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let (renderer, synchronizer) = (NullRenderer(), RenderSynchronizer())
      SampleBufferSerializer(renderer: renderer, synchronizer: synchronizer)
        .restartQueue(with: PlaylistItems([]), atOffset: .invalid)
    }
    #expect(
      end.says("a restart at an offset of {INVALID}; numbers and infinities are permitted"))
  }
}
