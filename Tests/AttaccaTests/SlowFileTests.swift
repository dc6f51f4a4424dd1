// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Synchronization
import Testing

/// A file that is slow is waited for: what can be played is never left out.
@Suite struct SlowFileTests {
  private static let format = AudioFormat(sampleRate: RampSource.rate, layout: .mono)

  private func playback(_ paths: [String], _ decoder: DecoderWatchdog) -> OfflinePlayback {
    OfflinePlayback(paths, format: Self.format, fade: .none, decoder: decoder)
  }

  private func ramp(_ number: Int, _ frames: Range<Int>) -> [Float] {
    frames.map { RampSource.sample(number, $0) }
  }

  /// What has happened by the time that `isLast` says so, in words.
  private func story(
    _ events: EventSequence<PlaybackEvent>, until isLast: (PlaybackEvent) -> Bool
  ) async -> [String] {
    var story: [String] = []
    for await event in events {
      switch event {
      case .waitingBegan(let wait): story.append("waits: \(wait)")
      case .waitingEnded(let wait): story.append("no longer: \(wait)")
      case .itemsDidFail(let failures): story += failures.map { "failed: \($0.item.path)" }
      case .endOfQueue: story.append("end")
      default: break
      }
      if isLast(event) || event.isLast { break }
    }
    return story
  }

  private func isWait(_ event: PlaybackEvent) -> Bool {
    if case .waitingBegan = event { true } else { false }
  }

  @Test func `the files of the two that follow are opened while the present one is at its start`() {
    let opened = OpenedPaths()
    let decoder = DecoderWatchdog(timeout: 600) { path throws(SoundFileError) in
      opened.note(path)
      return try RampSource(path: path)
    }
    let paths = (1...5).map { "ramp \($0) 16000" }
    let playback = playback(paths, decoder)
    playback.player.play()
    wait { opened.paths.count == 3 }
    #expect(opened.paths == Array(paths.prefix(3)))
    // 8 s each, of which a device of a second holds a quarter.
    #expect(playback.pullToEnd().count == 5 * 16_000)
    #expect(opened.paths == paths)
  }

  @Test func `an item that opens slowly is waited for, and no frame is lost`() async {
    let gate = OpeningGate(holding: "ramp 2 1000")
    let playback = playback(["ramp 1 3000", "ramp 2 1000", "ramp 3 1000"], gate.decoder)
    let (before, after) = (playback.player.events, playback.player.events)
    playback.player.play()
    let first = playback.pull(3_000)
    #expect(first == ramp(1, 0..<3_000))
    #expect(await story(before, until: isWait) == ["waits: ramp 2 1000 is being opened"])
    #expect(playback.player.waiting?.item.path == "ramp 2 1000")
    // Media time holds.
    #expect(playback.player.synchronizer.currentTime() == MediaTime(value: 3_000, timescale: 2_000))
    gate.letGo()
    #expect(playback.pullToEnd() == ramp(2, 0..<1_000) + ramp(3, 0..<1_000))
    #expect(
      await story(after, until: { _ in false }) == [
        "waits: ramp 2 1000 is being opened", "no longer: ramp 2 1000 is being opened", "end",
      ])
    #expect(playback.player.waiting == nil)
  }

  @Test func `a read that stalls in the middle of an item is waited for, and no frame is lost`()
    async
  {
    let gate = DispatchSemaphore(value: 0)
    let decoder = DecoderWatchdog(timeout: 600) { path throws(SoundFileError) in
      try StallingSource(path: path, place: 8_000, gate: gate)
    }
    let playback = playback(["ramp 1 16000"], decoder)
    let (before, after) = (playback.player.events, playback.player.events)
    playback.player.play()
    var heard: [Float] = []
    while heard.count < 7_000 { heard += playback.pull(1_000) }
    let reader = playback.pulledToEnd()
    #expect(await story(before, until: isWait) == ["waits: ramp 1 16000 is being read"])
    gate.signal()
    heard += await reader.value
    #expect(heard == ramp(1, 0..<16_000))
    #expect(
      await story(after, until: { _ in false }).suffix(2) == [
        "no longer: ramp 1 16000 is being read", "end",
      ])
  }

  @Test func `a short item is heard at once, however late the next one's file is`() async {
    let gate = OpeningGate(holding: "ramp 2 1000")
    let playback = playback(["ramp 1 200", "ramp 2 1000"], gate.decoder)
    let events = playback.player.events
    playback.player.play()
    #expect(playback.pull(200) == ramp(1, 0..<200))
    #expect(await story(events, until: isWait) == ["waits: ramp 2 1000 is being opened"])
    gate.letGo()
    #expect(playback.pullToEnd() == ramp(2, 0..<1_000))
  }

  @Test func `a start that waits for its file says so, and plays from its first frame`() async {
    let gate = OpeningGate(holding: "ramp 1 1000")
    let playback = playback(["ramp 1 1000"], gate.decoder)
    let events = playback.player.events
    playback.player.play()
    #expect(await story(events, until: isWait) == ["waits: ramp 1 1000 is being opened"])
    gate.letGo()
    #expect(playback.pullToEnd() == ramp(1, 0..<1_000))
    #expect(playback.player.waiting == nil)
  }

  @Test func `behind the limit the item has failed, and the next one plays`() async {
    let gate = OpeningGate(holding: "ramp 2 1000")
    defer { gate.letGo() }
    let playback = playback(["ramp 1 3000", "ramp 2 1000", "ramp 3 1000"], gate.decoder)
    #expect(playback.player.waitingLimit == MediaTime(value: 600, timescale: 1))
    playback.player.waitingLimit = MediaTime(value: 1, timescale: 1)
    let events = playback.player.events
    #expect(playback.playToEnd() == ramp(1, 0..<3_000) + ramp(3, 0..<1_000))
    #expect(
      await story(events, until: { _ in false }) == [
        "waits: ramp 2 1000 is being opened", "failed: ramp 2 1000",
        "no longer: ramp 2 1000 is being opened", "end",
      ])
  }

  @Test func `a file is waited for 30 s if nobody says otherwise`() {
    let player = SampleBufferPlayer(renderer: OfflineRenderer(format: Self.format))
    #expect(player.waitingLimit == MediaTime(value: 30, timescale: 1))
  }

  enum Way: CaseIterable { case skipped, removed, replaced }

  @Test(arguments: Way.allCases)
  func `an item that is waited for can be skipped, removed and replaced at once`(way: Way) async {
    let gate = OpeningGate(holding: "ramp 2 1000")
    defer { gate.letGo() }
    let playback = playback(["ramp 1 3000", "ramp 2 1000", "ramp 3 1000"], gate.decoder)
    let (player, events) = (playback.player, playback.player.events)
    player.play()
    var heard = playback.pull(3_000)
    #expect(await story(events, until: isWait).count == 1)
    var next = ramp(3, 0..<1_000)
    switch way {
    case .skipped: player.jump(to: 2)
    case .removed: player.playlist.remove(at: 1)
    case .replaced:
      _ = player.playlist.replace(at: 1, with: PlaylistItem(path: "ramp 4 500"))
      next = ramp(4, 0..<500) + next
    }
    heard += playback.pullToEnd()
    #expect(heard == ramp(1, 0..<3_000) + next)
    #expect(player.waiting == nil)
  }

  /// A quarter of what opening takes was given up on at this latency.
  @Test func `at the lowest latency a file that opens late plays all the same`() async {
    let gate = OpeningGate(holding: "ramp 2 200")
    let renderer = NullRenderer(format: Self.format, latency: .low)
    let player = SampleBufferPlayer(renderer: renderer, fade: .none, decoder: gate.decoder)
    player.waitingLimit = MediaTime(value: 600, timescale: 1)
    let paths = ["ramp 1 1000", "ramp 2 200"]
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
    let events = player.events
    player.play()
    var story: [String] = []
    for await event in events {
      switch event {
      case .underrun: gate.letGo()
      case .itemsDidFail(let failures): story += failures.map { "\($0)" }
      case .itemDidFinish(let item): story.append(item.path)
      default: break
      }
      if event.isLast { break }
    }
    #expect(story == paths)
  }
}

/// Paths in the order in which they were opened; thread-safe.
private final class OpenedPaths: @unchecked Sendable {
  // @unchecked: `stored` is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var stored: [String] = []

  var paths: [String] { semaphore.withLock { stored } }

  func note(_ path: String) { semaphore.withLock { stored.append(path) } }
}
