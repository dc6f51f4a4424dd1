// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Synchronization
import TestFixtures
import Testing

/// Playing that waits for a source.
@Suite struct WaitingTests {
  private func playback(_ sources: [any AudioSource], fade: Fade = .none) -> OfflinePlayback {
    let playback = OfflinePlayback(format: StepSource.format, fade: fade)
    playback.player.playlist.append(contentsOf: sources.map { PlaylistItem($0) })
    return playback
  }

  private func waitUntilWaiting(_ playback: OfflinePlayback) {
    wait { playback.player.waiting?.reason == .source }
  }

  private func canPull(_ playback: OfflinePlayback) -> Bool {
    var sample: Float = 0
    return playback.renderer.render(frames: 1, into: &sample) > 0
  }

  /// What begins and ends to wait, until `count` of it has been told.
  private func waits(_ events: EventSequence<PlaybackEvent>, _ count: Int) async -> [String] {
    var told: [String] = []
    for await event in events where told.count < count {
      switch event {
      case .waitingBegan(let wait): told.append("+ \(wait)")
      case .waitingEnded(let wait): told.append("- \(wait)")
      default: break
      }
      if told.count == count { break }
    }
    return told
  }

  @Test func `after a wait it goes on when as much is there as is wanted`() async {
    let source = GatedSource(name: "radio", frameCount: 480_000)
    let playback = playback([source])
    let player = playback.player
    player.prerollAfterWaiting = MediaTime(value: 2, timescale: 1)
    #expect(player.prerollAfterWaiting == MediaTime(value: 2, timescale: 1))
    let events = player.events
    #expect(player.timeControlStatus == .paused)
    source.gate.available.store(30_000, ordering: .relaxed)
    player.play()
    #expect(playback.pull(30_000) == StepSource.samples(0..<30_000))
    waitUntilWaiting(playback)
    guard case .waiting(let present) = player.timeControlStatus else {
      Issue.record("\(player.timeControlStatus)")
      return
    }
    #expect("\(present)" == "radio waits: buffering")
    let time = player.currentTime
    source.gate.available.store(30_000 + 95_999, ordering: .relaxed)
    playback.waitForContent(upTo: 30_000 + 95_999)
    #expect(!canPull(playback))
    playback.settle()
    #expect(player.timeControlStatus == .waiting(present))
    #expect(player.currentTime == time)
    source.gate.available.store(30_000 + 96_000, ordering: .relaxed)
    #expect(playback.pull(96_000) == StepSource.samples(30_000..<126_000))
    #expect(await waits(events, 2) == ["+ radio waits: buffering", "- radio waits: buffering"])
    // And the next time.
    waitUntilWaiting(playback)
    source.gate.available.store(150_000, ordering: .relaxed)
    playback.waitForContent(upTo: 150_000)
    #expect(!canPull(playback))
    source.gate.available.store(480_000, ordering: .relaxed)
    #expect(playback.pullToEnd() == StepSource.samples(126_000..<480_000))
    wait { player.timeControlStatus == .paused }
  }

  @Test func `it goes on with less where the source that was waited for has ended`() {
    let (first, second) = (
      GatedSource(name: "first", frameCount: 40_000), GatedSource(name: "second", frameCount: 9_000)
    )
    let playback = playback([first, second])
    playback.player.prerollAfterWaiting = MediaTime(value: 30, timescale: 1)
    first.gate.available.store(20_000, ordering: .relaxed)
    playback.player.play()
    _ = playback.pull(20_000)
    waitUntilWaiting(playback)
    first.gate.available.store(39_999, ordering: .relaxed)
    playback.waitForContent(upTo: 39_999)
    #expect(!canPull(playback))
    first.gate.available.store(40_000, ordering: .relaxed)
    // What follows has nothing to be heard yet.
    #expect(playback.pull(20_000) == StepSource.samples(20_000..<40_000))
    // The end of the first wait may be told behind the last pull.
    wait { playback.player.waiting?.item.path == "second" }
    second.gate.available.store(9_000, ordering: .relaxed)
    #expect(playback.pullToEnd() == StepSource.samples(0..<9_000))
  }

  @Test func `a start that has waited begins with as much as is wanted`() {
    let source = GatedSource(name: "radio", frameCount: 480_000)
    let playback = playback([source])
    playback.player.prerollAfterWaiting = MediaTime(value: 1, timescale: 1)
    playback.player.play()
    waitUntilWaiting(playback)
    source.gate.available.store(47_999, ordering: .relaxed)
    let serializer = playback.player.serializer
    wait {
      serializer.queue.sync { serializer.state.preparedSplice?.content.waiting ?? .zero }
        >= RationalTime(frames: 47_999, rate: 48_000)
    }
    #expect(!canPull(playback))
    source.gate.available.store(480_000, ordering: .relaxed)
    #expect(playback.pull(480_000) == StepSource.samples(0..<480_000))
  }

  @Test func `a pause, a seek and another item end what is wanted after a wait`() {
    let (first, second) = (
      GatedSource(name: "first", frameCount: 480_000),
      GatedSource(name: "second", frameCount: 9_000)
    )
    second.gate.available.store(9_000, ordering: .relaxed)
    let playback = playback([first, second])
    let player = playback.player
    player.prerollAfterWaiting = MediaTime(value: 10, timescale: 1)
    first.gate.available.store(20_000, ordering: .relaxed)
    player.play()
    _ = playback.pull(20_000)
    waitUntilWaiting(playback)
    player.pause()
    wait { player.timeControlStatus == .paused && player.waiting == nil }
    player.play()
    waitUntilWaiting(playback)
    first.gate.available.store(25_000, ordering: .relaxed)
    playback.splicing { player.seek(to: .zero) }
    #expect(playback.pull(25_000) == StepSource.samples(0..<25_000))
    waitUntilWaiting(playback)
    playback.splicing { player.next() }
    #expect(playback.pull(9_000) == StepSource.samples(0..<9_000))
    wait { player.waiting == nil }
  }

  @Test func `without a wish for more it goes on with the next frame`() {
    let source = GatedSource(name: "radio", frameCount: 480_000)
    let playback = playback([source], fade: .standard)
    source.gate.available.store(30_000, ordering: .relaxed)
    playback.player.play()
    #expect(playback.pull(30_000) == StepSource.samples(0..<30_000))
    waitUntilWaiting(playback)
    source.gate.available.store(30_001, ordering: .relaxed)
    #expect(playback.pull(1) == StepSource.samples(30_000..<30_001))
  }

  @Test func `what follows a source that waits for its first frame is opened meanwhile`() {
    let sources = ["first", "second", "third"].map { GatedSource(name: $0, frameCount: 9_000) }
    let playback = playback(sources)
    playback.player.play()
    waitUntilWaiting(playback)
    wait { sources[1...].allSatisfy { $0.gate.opened.load(ordering: .relaxed) == 1 } }
    for source in sources { source.gate.available.store(9_000, ordering: .relaxed) }
    #expect(playback.pull(27_000) == (0..<3).flatMap { _ in StepSource.samples(0..<9_000) })
    #expect(sources.map { $0.gate.opened.load(ordering: .relaxed) } == [1, 1, 1])
  }

  @Test func `what follows a source that waits in its middle is opened meanwhile`() {
    let sources = ["first", "second"].map { GatedSource(name: $0, frameCount: 30_000) }
    sources[0].gate.available.store(20_000, ordering: .relaxed)
    let playback = playback(sources)
    playback.player.play()
    _ = playback.pull(20_000)
    waitUntilWaiting(playback)
    wait { sources[1].gate.opened.load(ordering: .relaxed) == 1 }
  }
}
