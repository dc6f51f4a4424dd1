// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SoundFiles
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// Streams of segments that grow, stop, come back and die.
@Suite("HLS streams that live and die") struct HLSLivingTests {
  private static let aac = "-c:a aac -b:a 96k"

  /// Four seconds in segments `name`-0.ts to `name`-3.ts.
  private func cut(_ name: String) throws -> [String] {
    _ = try SegmentedFile.cut(try EncodedFile.path(Self.aac, "hls.m4a"), name, "ts")
    return (0..<4).map { "\(name)-\($0).ts" }
  }

  /// What is at an address, given up after `patience` ms where nothing comes.
  private func source(
    _ mode: String, _ name: String, patience: Int = 60_000
  ) throws -> HTTPSource {
    var options = HTTPOptions()
    options.retryLimit = patience
    return try #require(HTTPSource(RangeServer.shared.address(mode, name), options: options))
  }

  @Test(.timeLimit(.minutes(5)))
  func `an event is heard from its start while it grows, and its length told at its end`()
    async throws
  {
    let names = try cut("event")
    let pages = (1...5).map { count in
      SegmentedFile.list(
        "#EXT-X-PLAYLIST-TYPE:EVENT", Array(names.prefix(count)), isWhole: count > 4)
    }
    // A page that is half written is asked for again.
    try SegmentedFile.put(pages: pages[..<2] + ["#EXT"] + pages[2...], "event-grows.m3u8")
    let source = try source("pages", "event-grows.m3u8")
    let reader = try await source.open()
    #expect(source.isBroadcast == false)
    #expect(reader.frameCount == nil)
    let heard = Heard.reading(reader)
    #expect(heard.error == nil)
    let expected = try SegmentedFile.decoded(names)
    #expect(firstDifference(heard.samples, expected) == nil)
    #expect(reader.frameCount == Int64(expected.count / 2))
    // Whether it waits for the broadcast between two pages is a matter of how fast they are read.
    let reason = "trying again: it does not begin as a playlist"
    #expect(heard.reasons.contains(reason), "\(heard.reasons)")
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func `a stream that brings nothing more is waited for, and ends with an error that says so`(
    isGone: Bool
  ) async throws {
    let names = try cut("dying")
    let page = SegmentedFile.list("#EXT-X-MEDIA-SEQUENCE:9", Array(names.prefix(3)))
    let name = isGone ? "gone.m3u8" : "dying-still.m3u8"
    try SegmentedFile.put(pages: [page] + (isGone ? ["404"] : []), name)
    let heard = try await Heard.of(try source("pages", name, patience: 1_500))
    #expect(
      firstDifference(heard.samples, try SegmentedFile.decoded(Array(names.prefix(3)))) == nil)
    let error = try #require(heard.error)
    #expect(error.kind == .truncated)
    let cause = "the broadcast does not go on"
    #expect(error.cause == cause + (isGone ? ": the server answers 404 Because" : ""))
    let reason =
      isGone ? "trying again: the server answers 404 Because" : "waiting for the broadcast"
    #expect(heard.reasons.contains(reason), "\(heard.reasons)")
  }

  @Test(.timeLimit(.minutes(5)))
  func `a segment that a live stream has taken back is passed`() async throws {
    let names = try cut("hole")
    let lines = [names[0], "../status=404/hole-1.ts", names[2], names[3]]
    let pages = [
      SegmentedFile.list("", Array(lines.prefix(3))), SegmentedFile.list("", lines),
      SegmentedFile.list("", lines, isWhole: true),
    ]
    try SegmentedFile.put(pages: pages, "hole-list.m3u8")
    let heard = try await Heard.of(try source("pages", "hole-list.m3u8"))
    #expect(heard.error == nil)
    let expected =
      try SegmentedFile.decoded([names[0]]) + SegmentedFile.decoded([names[2], names[3]])
    #expect(firstDifference(heard.samples, expected) == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a stream of which no segment is there ends, however long its list goes on`() async throws {
    let names = try cut("husk")
    let pages = (0..<200).map { page in
      let gone = (0..<3).map { "../status=403/husk-\(page + $0).ts" }
      let lines = page == 0 ? Array(names.prefix(3)) : gone
      return SegmentedFile.list("#EXT-X-MEDIA-SEQUENCE:\(page)", lines)
    }
    try SegmentedFile.put(pages: pages, "husk-list.m3u8")
    let heard = try await Heard.of(try source("pages", "husk-list.m3u8", patience: 1_500))
    #expect(
      firstDifference(heard.samples, try SegmentedFile.decoded(Array(names.prefix(3)))) == nil)
    #expect(
      heard.error?.cause == "the broadcast does not go on: the server answers 403 Because",
      "\(String(describing: heard.error))")
  }

  @Test(.timeLimit(.minutes(5)), arguments: [true, false])
  func `a segment that the server has not at once is asked for again`(isWhole: Bool) async throws {
    let names = try cut("flaky-\(isWhole)")
    let lines = [names[0], names[1], "../flaky=3/\(names[2])", names[3]]
    let list = SegmentedFile.list("", lines, isWhole: isWhole)
    try SegmentedFile.put(
      pages: [list, list, list, list, SegmentedFile.list("", lines, isWhole: true)],
      "flaky-list-\(isWhole).m3u8")
    let heard = try await Heard.of(try source("pages", "flaky-list-\(isWhole).m3u8"))
    #expect(heard.error == nil)
    // A live one begins three segments in front of its end.
    let expected = try SegmentedFile.decoded(isWhole ? names : Array(names.dropFirst()))
    #expect(firstDifference(heard.samples, expected) == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `an encoder that begins to count again is followed`() async throws {
    let (old, new) = (try cut("old"), try cut("new"))
    let pages = [
      SegmentedFile.list("#EXT-X-MEDIA-SEQUENCE:700", Array(old.prefix(3))),
      SegmentedFile.list("#EXT-X-MEDIA-SEQUENCE:0", Array(new.prefix(2))),
      SegmentedFile.list("#EXT-X-MEDIA-SEQUENCE:0", new, isWhole: true),
    ]
    try SegmentedFile.put(pages: pages, "again.m3u8")
    let heard = try await Heard.of(try source("pages", "again.m3u8"))
    #expect(heard.error == nil)
    let expected = try SegmentedFile.decoded(Array(old.prefix(3))) + SegmentedFile.decoded(new)
    #expect(firstDifference(heard.samples, expected) == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `who comes back from a long pause finds the stream where it goes on`() async throws {
    let names = try cut("pause")
    try SegmentedFile.put(
      pages: [SegmentedFile.list("", Array(names.prefix(3))), SegmentedFile.list("", names)],
      "pause-list.m3u8")
    let patient = try source("pages", "pause-list.m3u8", patience: 1_500)
    let handover = FrameHandover()
    let session = try HLSSession(
      HLSLoad(patient.address, patient.options), patient.options, handover, NetworkFrames.Wake())
    for name in names.prefix(3) {
      #expect(try session.next()?.bytes == SegmentedFile.bytes(name))
    }
    // What takes longer than the stream is waited for: a file that comes in 3 s.
    let size = try SegmentedFile.bytes(names[0]).count
    let other = try await Heard.of(try source("throttled=\(size / 3)", names[0]))
    #expect(other.error == nil)
    #expect(try session.next()?.bytes == SegmentedFile.bytes(names[3]))
  }
}
