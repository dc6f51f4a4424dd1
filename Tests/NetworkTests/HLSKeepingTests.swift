// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import MediaTime
import SoundFiles
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// What is kept of a stream of segments, what is told of it, and variants that do not have all of it.
@Suite("HLS, kept and told") struct HLSKeepingTests {
  let server = RangeServer.shared

  /// Names of segments of a second.
  private func cut(_ encoding: String, _ name: String) throws -> [String] {
    let list = try SegmentedFile.cut(try EncodedFile.path(encoding, "\(name).m4a"), name, "ts")
    return String(decoding: try SegmentedFile.bytes(list), as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
  }

  private func source(
    _ name: String, _ mode: String = "ranges", limit: Int64 = 256 << 20
  ) throws -> HTTPSource {
    var options = HTTPOptions()
    options.spoolLimit = limit
    return try #require(HTTPSource(server.address(mode, name), options: options))
  }

  @Test(.timeLimit(.minutes(5)))
  func `no more is kept than there is room for, and a seek back loads it again`() async throws {
    let names = try cut("-c:a aac -aac_pns 0 -b:a 320k", "room")
    let sizes = try names.map { try SegmentedFile.bytes($0).count }
    let limit = Int64(sizes[0])
    let source = try source("room.m3u8", limit: limit)
    let expected = try SegmentedFile.decoded(names)
    let reader = try await source.open()
    #expect(firstDifference(Heard.reading(reader).samples, expected) == nil)
    #expect(try server.requests("ranges", names[0]).count == 1)
    try reader.seek(to: 10_000)
    #expect(firstDifference(Heard.reading(reader).samples, Array(expected[20_000...])) == nil)
    #expect(try server.requests("ranges", names[0]).count == 2)

    // The same, seen from within.
    let session = try HLSSession(
      HLSLoad(source.address, source.options), source.options, FrameHandover(),
      NetworkFrames.Wake())
    let parts = HLSParts(session, name: "room", limit: limit, HLSStanding())
    var largest: Int64 = 0
    while try parts.extend() {
      parts.forget(before: parts.parts[0].count, of: 0)
      largest = max(largest, parts.keptCount)
    }
    #expect(largest <= limit && parts.hasForgotten)
    #expect(parts.parts.count == 1 && parts.parts[0].count == Int64(sizes.reduce(0, +)))
  }

  @Test(.timeLimit(.minutes(5)))
  func `a stream that brings nothing more is empty, and one that is all there keeps up`()
    async throws
  {
    let names = try cut("-c:a aac -b:a 96k", "told")
    try SegmentedFile.put(
      pages: [SegmentedFile.list("", Array(names.prefix(3)))], "told-still.m3u8")
    let still = try source("told-still.m3u8", "pages")
    let reader = try await still.open()
    var block = [Float](repeating: 0, count: 40_000)
    var reason = ""
    while reason != "waiting for the broadcast" {
      let answer = try block.withUnsafeMutableBufferPointer { try reader.read(into: $0) }
      if case .wait(let wait) = answer { reason = wait.reason }
    }
    #expect(still.isPlaybackBufferEmpty && !still.isPlaybackLikelyToKeepUp)
    reader.cancel()

    let whole = try source("told.m3u8")
    let other = try await whole.open()
    #expect(Heard.reading(other).error == nil)
    #expect(!whole.isPlaybackBufferEmpty && whole.isPlaybackLikelyToKeepUp)
    #expect(!whole.isPlaybackBufferFull)
    try other.seek(to: 0)
    #expect(Heard.reading(other).error == nil)
    // As often as it was loaded, and as long as the list says that it is.
    #expect(whole.loadedTimeRanges.first?.end == MediaTime(value: 4_032, timescale: 1_000))
  }

  @Test(.timeLimit(.minutes(5)), arguments: [0, 2])
  func `a variant whose segments are missing is left for another`(from first: Int) async throws {
    let flags = "-c:a aac -aac_pns 0 -b:a "
    let low = try cut(flags + "64k", "left-low-\(first)")
    let high = try cut(flags + "128k", "left-high-\(first)")
    let lines = low[..<first] + low[first...].map { "../status=404/\($0)" }
    try server.put(
      Array(SegmentedFile.list("", Array(lines), isWhole: true).utf8), "left-\(first).m3u8")
    // No line is fast enough for the other one, unless it has to be.
    let text = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
      left-\(first).m3u8
      #EXT-X-STREAM-INF:BANDWIDTH=900000000000,CODECS="mp4a.40.2"
      left-high-\(first).m3u8
      """
    try server.put(Array(text.utf8), "left-master-\(first).m3u8")
    let heard = try await Heard.of(try source("left-master-\(first).m3u8"))
    #expect(heard.error == nil)
    let (before, behind) = try (SegmentedFile.decoded(low), SegmentedFile.decoded(high))
    #expect(heard.samples.count == before.count)
    let change = try first == 0 ? 0 : SegmentedFile.decoded(Array(low[..<first])).count
    #expect(heard.samples.prefix(change).elementsEqual(before.prefix(change)))
    // Without room for a segment more than is heard, half of a packet is missing.
    let settled = first == 0 ? 0 : change + 2 * 1_024
    #expect(
      firstDifference(Array(heard.samples.dropFirst(settled)), Array(behind[settled...])) == nil)
  }
}
