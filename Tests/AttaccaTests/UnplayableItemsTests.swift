// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Foundation
@testable import Rendering
import Synchronization
import TestFixtures
import Testing

/// Items that cannot be played, wherever they stand and however many there are.
///
/// Decoders are waited for longer than a test may have to wait for its turn on a busy machine.
@Suite struct UnplayableItemsTests {
  private static let good = Fixtures.path("cut/05.flac")
  private static let next = Fixtures.path("cut/06.wav")

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "attacca-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Which items are said to have failed and to be current, up to the end.
  private func told(
    _ events: EventSequence<PlaybackEvent>
  ) async -> (failed: [String], current: [String?]) {
    var (failed, current): ([String], [String?]) = ([], [])
    for await event in events {
      if case .itemsDidFail(let failures) = event { failed += failures.map(\.item.path) }
      if case .currentItemDidChange(let item) = event { current.append(item?.path) }
      if event.isLast { break }
    }
    return (failed, current)
  }

  /// What is heard, and how many items were reported.
  private func play(_ paths: [String]) async -> (heard: [Float], failures: Int) {
    let playback = OfflinePlayback(paths)
    let events = playback.player.events
    let heard = playback.playToEnd()
    var failures = 0
    for await event in events {
      if case .itemsDidFail(let more) = event { failures += more.itemCount }
      if case .endOfQueue = event { break }
    }
    return (heard, failures)
  }

  @Test func `10,000 missing files before, between and behind two others are 10,000 reports`()
    async throws
  {
    let missing = (0..<10_000).map { "missing/\($0).flac" }
    let paths = Array(missing[..<3_000]) + [Self.good] + missing[3_000..<7_000] + [Self.good]
    let (heard, failures) = await play(paths + Array(missing[7_000...]))
    let good = try Fixtures.samples("cut/05.flac")
    #expect(firstDifference(heard, good + good) == nil)
    #expect(failures == 10_000)
  }

  @Test(arguments: [0, 4_800])
  func `a file that has gone by the time an edit reads it again is reported, and playing goes on`(
    before: Int
  ) async throws {
    let folder = try Self.folder()
    defer { try! FileManager.default.removeItem(at: folder) }
    let gone = folder.appending(path: "gone.flac")
    try FileManager.default.copyItem(atPath: Self.good, toPath: gone.path)
    let playback = OfflinePlayback([gone.path, Self.good])
    let events = playback.player.events
    playback.player.play()
    let good = try Fixtures.samples("cut/05.flac")
    playback.waitForContent(upTo: Int64(good.count))
    var heard = playback.pull(before)
    try FileManager.default.removeItem(at: gone)
    // It follows at a joint in front of which the end of the first is rendered again.
    playback.player.playlist.insert(PlaylistItem(path: Self.good), at: 1)
    playback.settle()
    heard += playback.pullToEnd()
    let (failed, current) = await told(events)
    #expect(failed == [gone.path])
    #expect(current == [gone.path, Self.good, Self.good, nil])
    #expect(firstDifference(heard, good + good + good) == nil)
  }

  /// `ahead` is nil for a flush of everything, which fades out for 5 ms.
  @Test(arguments: [nil, 0, 4_000])
  func `what a flush discards of a file that has gone is reported, and the next one takes over`(
    ahead: Int?
  ) async throws {
    let folder = try Self.folder()
    defer { try! FileManager.default.removeItem(at: folder) }
    let gone = folder.appending(path: "gone.flac")
    try FileManager.default.copyItem(atPath: Self.good, toPath: gone.path)
    let playback = OfflinePlayback([gone.path, Self.next], fade: .none)
    let events = playback.player.events
    playback.player.play()
    let good = try Fixtures.samples("cut/05.flac")
    playback.waitForContent(upTo: Int64(good.count / 2))
    #expect(playback.pull(2_000) == Array(good[..<4_000]))
    try FileManager.default.removeItem(at: gone)
    if let ahead {
      let time = MediaTime(value: Int64(2_000 + ahead), timescale: 48_000)
      playback.renderer.flush(fromSourceTime: time) { #expect($0) }
    } else {
      playback.renderer.flush()
    }
    playback.settle()
    let heard = playback.pullToEnd()
    let (failed, current) = await told(events)
    #expect(failed == [gone.path])
    #expect(current == [gone.path, Self.next, nil])
    let next = try Fixtures.samples("cut/06.wav")
    #expect(heard.suffix(next.count) == next[...])
    let rest = heard.dropLast(next.count)
    if let ahead {
      #expect(rest == good[4_000..<(4_000 + 2 * ahead)])
    } else {
      #expect(rest.count == 480)
    }
  }

  @Test func `of 20,000 failures that wait for a subscriber twenty are told, and how many follow`()
    async
  {
    let openings = Openings(stopAt: 20_000)
    let decoder = DecoderWatchdog(timeout: 600) { path throws(SoundFileError) in
      openings.note()
      throw SoundFileError(.missing, path: path, call: "open", cause: "none")
    }
    let playback = OfflinePlayback((0..<20_000).map { "\($0)" }, decoder: decoder)
    let ids = playback.player.playlist.items.map(\.id)
    let events = playback.player.events
    playback.player.play()
    openings.reached.wait()
    openings.gate.signal()
    var (failed, isOver) = ([ItemFailure](), false)
    for await event in events {
      if case .itemsDidFail(let failures) = event { failed += failures }
      if case .endOfQueue = event {
        isOver = true
        break
      }
    }
    #expect(isOver)
    #expect(failed.prefix(20).map(\.item.id) == Array(ids[..<20]))
    #expect(failed.prefix(20).allSatisfy { $0.furtherCount == 0 })
    #expect(failed.itemCount == 20_000)
    // A change of the rate may have come between.
    #expect(failed.count <= 2 * 21)
  }

  @Test func `a single failure is told before the next item has been tried`() async {
    let gate = DispatchSemaphore(value: 0)
    let decoder = DecoderWatchdog(timeout: 600) { path throws(SoundFileError) in
      if path == "next" { gate.wait() }
      throw SoundFileError(.missing, path: path, call: "open", cause: "not there")
    }
    let playback = OfflinePlayback(["first", "next"], decoder: decoder)
    let events = playback.player.events
    playback.player.play()
    var told: [String] = []
    for await event in events {
      if case .itemsDidFail(let failures) = event {
        told.append(failures.map { "\($0)" }.joined())
        gate.signal()
      }
      if case .endOfQueue = event { break }
    }
    #expect(told == ["first: not there: not there", "next: not there: not there"])
  }

  @Test(arguments: ["broken/noise.mp3", "broken/text.mp3", "broken/empty.wav"])
  func `a list of nothing but unreadable files comes to its end`(name: String) async {
    let (heard, failures) = await play(Array(repeating: Fixtures.path(name), count: 500))
    #expect(heard.isEmpty)
    #expect(failures == 500)
  }

  /// Counts what is opened, and stops at one of them until it is let go.
  private final class Openings: Sendable {
    let count = Atomic<Int>(0)
    let reached = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    private let last: Int

    init(stopAt last: Int) { self.last = last }

    func note() {
      guard count.add(1, ordering: .relaxed).newValue == last else { return }
      reached.signal()
      gate.wait()
    }
  }

  /// Whoever follows the command does before the step under way goes on, or not until that is over.
  @Test(arguments: [true, false])
  func `a command is carried out before the rest of 10,000 missing files has been tried`(
    isFollowedAtOnce: Bool
  ) throws {
    let openings = Openings(stopAt: 100)
    let pool = FramePool()
    let decoder = DecoderWatchdog(timeout: 600) { path throws(SoundFileError) in
      openings.note()
      return try SoundFile(path: path, pool: pool)
    }
    let missing = (0..<10_000).map { "missing/\($0).flac" }
    let playback = OfflinePlayback(missing + [Self.good], decoder: decoder)
    let serializer = playback.player.serializer
    playback.player.play()
    openings.reached.wait()
    let last = playback.player.playlist[10_000].id
    if isFollowedAtOnce {
      try playback.player.seek(to: last)
      serializer.queue.sync {}
      openings.gate.signal()
    } else {
      try serializer.queue.sync {
        try playback.player.seek(to: last)
        openings.gate.signal()
        wait { serializer.decoders.preparing.current?.pending.isThere != false }
      }
    }
    var heard: [Float] = []
    playback.renderer.renderToEnd { heard.append(contentsOf: $0) }
    #expect(firstDifference(heard, try Fixtures.samples("cut/05.flac")) == nil)
    // Besides: the one under way, the one sought, and files opened ahead, two for each place it was at.
    #expect(openings.count.load(ordering: .relaxed) <= 110)
  }

  @Test(arguments: [false, true])
  func `a list of nothing but missing files that repeats comes to its end`(isShuffled: Bool) async {
    let player = SampleBufferPlayer(renderer: NullRenderer(), fade: .none)
    let events = player.events
    player.playlist.append(contentsOf: (0..<50).map { PlaylistItem(path: "missing/\($0)") })
    player.setRepeatMode(.all)
    if isShuffled { player.playlist.shuffle(seed: 7) }
    player.play()
    var failures = 0
    for await event in events {
      if case .itemsDidFail(let failed) = event { failures += failed.itemCount }
      if case .endOfQueue = event { break }
    }
    #expect(failures == 50)
  }

  /// The list was one of nothing but that item when it was found to be one, and the end was told behind the append.
  @Test(arguments: [true, false])
  func `what is added while the only item turns out unplayable is played`(isFollowedAtOnce: Bool)
    async
  {
    let (reached, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let decoder = DecoderWatchdog(timeout: 600) { path throws(SoundFileError) in
      guard path == "gone" else { return try RampSource(path: path) }
      reached.signal()
      gate.wait()
      gate.signal()
      throw SoundFileError(.missing, path: path, call: "open", cause: "not there")
    }
    let player = SampleBufferPlayer(
      renderer: NullRenderer(
        format: AudioFormat(sampleRate: RampSource.rate, layout: .mono)), fade: .none,
      decoder: decoder)
    let events = player.events
    player.setRepeatMode(.all)
    player.playlist.append(PlaylistItem(path: "gone"))
    player.play()
    reached.wait()
    if isFollowedAtOnce {
      player.playlist.append(PlaylistItem(path: "ramp 1 48000"))
      player.serializer.queue.sync {}
      gate.signal()
    } else {
      player.serializer.queue.sync {
        gate.signal()
        wait { player.serializer.decoders.preparing.current?.pending.isThere != false }
        player.playlist.append(PlaylistItem(path: "ramp 1 48000"))
      }
    }
    for await event in events {
      if case .endOfQueue = event {
        Issue.record("the end, with an item that can be played")
        break
      }
      if case .currentItemDidChange(let item?) = event, item.path != "gone" { break }
    }
  }
}

extension [ItemFailure] {
  /// Number of items that failed.
  var itemCount: Int { reduce(0) { $0 + 1 + $1.furtherCount } }
}
