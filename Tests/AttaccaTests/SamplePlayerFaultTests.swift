// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import PulseDevice
@testable import Rendering
import Testing

/// What players of this design got wrong: a test for each fault.
///
/// Frames name themselves, as `RampSource` has it.
@Suite struct SamplePlayerFaultTests {
  private func playback(
    _ paths: [String], gate: OpeningGate = OpeningGate()
  ) -> OfflinePlayback {
    OfflinePlayback(
      paths, format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), fade: .none,
      decoder: gate.decoder)
  }

  private func frames(_ item: Int, _ range: Range<Int>) -> [Float] {
    range.map { RampSource.sample(item, $0) }
  }

  private func time(_ frame: Int) -> MediaTime { EditedPlayback.time(frame) }

  /// What `events` tell as current, up to the end.
  private func currentItems(_ events: EventSequence<PlaybackEvent>) async -> [String?] {
    var current: [String?] = []
    for await event in events {
      if case .currentItemDidChange(let item) = event { current.append(item?.path) }
      if event.isLast { break }
    }
    return current
  }

  // MARK: Edits

  /// What follows the second item is replaced where it has been handed over, and dropped where it is
  /// only being opened.
  @Test(arguments: [true, false])
  func `an edit while the second item plays does not send it back to its beginning`(
    isHandedOver: Bool
  ) {
    let gate = OpeningGate(holding: isHandedOver ? "" : "ramp 3 500")
    let playback = playback(["ramp 1 3000", "ramp 2 3000", "ramp 3 500"], gate: gate)
    playback.player.play()
    #expect(playback.pull(3_500) == frames(1, 0..<3_000) + frames(2, 0..<500))
    if isHandedOver { playback.waitForContent(upTo: 5_100) } else { gate.reach() }
    playback.player.playlist.insert(PlaylistItem(path: "ramp 4 700"), at: 2)
    playback.settle()
    gate.letGo()
    #expect(
      playback.pullToEnd() == frames(2, 500..<3_000) + frames(4, 0..<700) + frames(3, 0..<500))
  }

  @Test func `a list handed over as an item ends does not play that item again`() {
    let playback = playback(["ramp 1 3000", "ramp 2 3000", "ramp 3 500"])
    let items = playback.player.playlist.items
    playback.player.play()
    _ = playback.pull(3_001)
    playback.player.serializer.continueQueue(with: items)
    playback.settle()
    #expect(playback.pullToEnd() == frames(2, 1..<3_000) + frames(3, 0..<500))
  }

  @Test func `an edit that comes too late does not begin the current item again`() {
    let gate = OpeningGate(holding: "ramp 3 500")
    let playback = playback(["ramp 1 4000", "ramp 2 4000"], gate: gate)
    playback.player.play()
    _ = playback.pull(3_900)
    playback.waitForContent(upTo: 4_100)
    playback.player.playlist.insert(PlaylistItem(path: "ramp 3 500"), at: 1)
    gate.reach()
    #expect(playback.pull(200) == frames(1, 3_900..<4_000) + frames(2, 0..<100))
    gate.letGo()
    playback.settle()
    #expect(playback.pullToEnd() == frames(2, 100..<4_000))
  }

  @Test func `two edits, one while the other is prepared, leave no frame of the first`() {
    let gate = OpeningGate(holding: "ramp 3 500")
    let playback = playback(["ramp 1 4000", "ramp 2 4000"], gate: gate)
    playback.player.play()
    _ = playback.pull(3_000)
    playback.waitForContent(upTo: 4_100)
    playback.player.playlist.insert(PlaylistItem(path: "ramp 3 500"), at: 1)
    gate.reach()
    playback.player.playlist.replace(at: 1, with: PlaylistItem(path: "ramp 4 600"))
    gate.letGo()
    playback.settle()
    #expect(
      playback.pullToEnd() == frames(1, 3_000..<4_000) + frames(4, 0..<600) + frames(2, 0..<4_000))
  }

  @Test func `an item without frames is skipped, in an edit as in the first list`() async {
    let playback = playback(["ramp 1 0", "ramp 2 3000", "ramp 3 100"])
    let events = playback.player.events
    playback.player.play()
    #expect(playback.pull(100) == frames(2, 0..<100))
    playback.player.playlist.insert(PlaylistItem(path: "ramp 4 0"), at: 2)
    playback.player.playlist.append(PlaylistItem(path: "ramp 5 0"))
    playback.settle()
    #expect(playback.pullToEnd() == frames(2, 100..<3_000) + frames(3, 0..<100))
    #expect(await currentItems(events) == ["ramp 2 3000", "ramp 3 100", nil])
  }

  // MARK: Flushes

  @Test func `a flush after a seek does not set playing back by the seek`() {
    let playback = playback(["ramp 1 9000", "ramp 2 500"])
    playback.player.play()
    _ = playback.pull(100)
    playback.splicing { playback.player.seek(to: time(5_000)) }
    #expect(playback.pull(1_000) == frames(1, 5_000..<6_000))
    let now = playback.player.synchronizer.currentTime()
    playback.renderer.flush(fromSourceTime: now + time(300)) { #expect($0) }
    playback.settle()
    #expect(playback.pull(1_000) == frames(1, 6_000..<7_000))
    playback.renderer.flush(fromSourceTime: playback.player.synchronizer.currentTime()) {
      #expect($0)
    }
    playback.settle()
    #expect(playback.pullToEnd() == frames(1, 7_000..<9_000) + frames(2, 0..<500))
  }

  @Test func `flushing everything does not end playing, nor lose a frame`() {
    let playback = playback(["ramp 1 9000", "ramp 2 500"])
    playback.player.play()
    _ = playback.pull(1_000)
    playback.renderer.flush()
    playback.settle()
    // Ten frames go out, and are heard again.
    #expect(
      playback.pullToEnd().suffix(8_500) == frames(1, 1_000..<9_000)[...] + frames(2, 0..<500))
  }

  // MARK: Ends

  @Test func `an unreadable first item does not hold up the others, and is reported`() async {
    let playback = playback(["broken 1", "ramp 2 300"])
    let events = playback.player.events
    #expect(playback.playToEnd() == frames(2, 0..<300))
    var failed: [String] = []
    for await event in events {
      if case .itemsDidFail(let failures) = event { failed += failures.map(\.item.path) }
      if event.isLast { break }
    }
    #expect(failed == ["broken 1"])
  }

  @Test func `an item that is opened after all before it was heard becomes current`() async {
    let gate = OpeningGate(holding: "ramp 2 3000")
    let playback = playback(["ramp 1 3000 unknown", "ramp 2 3000"], gate: gate)
    let events = playback.player.events
    playback.player.play()
    #expect(playback.pull(2_000) == frames(1, 0..<2_000))
    gate.reach()
    #expect(playback.pull(1_000) == frames(1, 2_000..<3_000))
    gate.letGo()
    #expect(playback.pull(100) == frames(2, 0..<100))
    // Not only at the end, where whatever was missed is made up for.
    playback.waitForCurrent("ramp 2 3000")
    #expect(playback.pullToEnd() == frames(2, 100..<3_000))
    #expect(await currentItems(events) == ["ramp 1 3000 unknown", "ramp 2 3000", nil])
  }

  @Test func `a list of nothing playable ends, with nothing current`() async {
    let playback = playback(["broken 1", "ramp 2 0", "broken 3"])
    let events = playback.player.events
    playback.player.play()
    for await event in events { if event.isLast { break } }
    #expect(playback.player.currentItem == nil && playback.player.rate == 0)
    #expect(playback.player.playlist.queue.snapshot.cursor == .ended(gap: 3))
  }

  @Test func `seeking past the end goes to what follows, before the start to the start`() {
    let playback = playback(["ramp 1 3000", "ramp 2 3000"])
    playback.player.play()
    _ = playback.pull(100)
    playback.splicing { playback.player.seek(to: time(-100)) }
    #expect(playback.pull(100) == frames(1, 0..<100))
    for end in [3_000, 5_000] {
      playback.splicing { playback.player.jump(to: 0, offset: time(100)) }
      playback.splicing { playback.player.seek(to: time(end)) }
      #expect(playback.pull(100) == frames(2, 0..<100))
    }
    playback.player.seek(to: .positiveInfinity)
    playback.settle()
    #expect(playback.pullToEnd().isEmpty && playback.player.currentItem == nil)
  }

  // MARK: Rates

  @Test func `a pause right after play is not lost`() {
    let playback = playback(["ramp 1 9000"])
    for _ in 0..<50 {
      playback.player.play()
      playback.player.pause()
      playback.settle()
      #expect(playback.player.rate == 0)
    }
    #expect(playback.player.currentTime == .zero)
  }

  @Test func `resuming a stopped queue does not run the clock`() {
    let playback = playback(["ramp 1 9000"])
    playback.player.play()
    _ = playback.pull(100)
    playback.player.stop()
    playback.player.serializer.resumeQueue()
    playback.settle()
    var frame: Float = 0
    #expect(playback.renderer.render(frames: 1, into: &frame) == 0)
    #expect(playback.player.rate == 0 && playback.player.currentItem == nil)
  }

  @Test func `a file that does not open holds up neither a pause nor a seek`() {
    let gate = OpeningGate(holding: "ramp 2 500")
    let playback = playback(["ramp 1 3000", "ramp 2 500"], gate: gate)
    playback.player.play()
    _ = playback.pull(100)
    gate.reach()
    playback.player.pause()
    playback.settle()
    #expect(playback.player.rate == 0)
    playback.splicing { playback.player.seek(to: time(2_000)) }
    playback.player.play()
    #expect(playback.pull(1_000) == frames(1, 2_000..<3_000))
    gate.letGo()
    #expect(playback.pullToEnd() == frames(2, 0..<500))
  }

  @Test(.timeLimit(.minutes(3)))
  func `a rate set on the synchronizer is told, and is what the player wishes`() async {
    let playback = playback(["ramp 1 9000"])
    let events = playback.player.events
    var iterator = events.makeAsyncIterator()
    func nextRate() async -> Double? {
      while let event = await iterator.next() {
        if case .rateDidChange(let rate) = event { return rate }
        if event.isLast { return nil }
      }
      return nil
    }
    playback.player.play()
    #expect(await nextRate() == 1)
    playback.player.synchronizer.rate = 0
    #expect(await nextRate() == 0)
    playback.player.togglePlayPause()
    #expect(await nextRate() == 1)
    playback.player.synchronizer.setRate(0, time: .invalid)
    #expect(await nextRate() == 0)
    playback.player.synchronizer.rate = 1
    #expect(await nextRate() == 1)
    playback.player.pause()
    #expect(await nextRate() == 0)
  }

  // MARK: What is told

  @Test func `each item is told as current once, and so is the end`() async {
    let playback = playback((1...5).map { "ramp \($0) 300" })
    let events = playback.player.events
    _ = playback.playToEnd()
    #expect(await currentItems(events) == (1...5).map { "ramp \($0) 300" } + [nil])
  }

  @Test func `the place told is what is heard, not what is enqueued`() {
    let playback = playback(["ramp 1 9000"])
    playback.player.play()
    _ = playback.pull(500)
    playback.waitForCurrent("ramp 1 9000")
    playback.waitForContent(upTo: 1_500)
    #expect(playback.player.currentTime == time(500))
    playback.splicing { playback.player.seek(by: time(100)) }
    #expect(playback.pull(10) == frames(1, 600..<610))
  }

  @Test func `joints that lie between milliseconds are without a seam`() {
    let playback = playback((1...20).map { "ramp \($0) 333" })
    #expect(playback.playToEnd() == (1...20).flatMap { frames($0, 0..<333) })
  }
}
