// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SoundFiles
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// Joints of segments, keys, streams, variants and items: to the sample what ffmpeg decodes of the same segments.
@Suite("HLS joints") struct HLSJointTests {
  let server = RangeServer.shared

  private func cut(
    _ encoding: String, _ name: String, _ kind: String = "ts", _ options: [String] = []
  ) throws -> [String] {
    let list = try SegmentedFile.cut(
      try EncodedFile.path(encoding, "\(name).m4a"), name, kind, options)
    return String(decoding: try SegmentedFile.bytes(list), as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map(String.init)
  }

  /// What ffmpeg decodes of fragments of 4 s, without half of the last packet: its fragment says that 512 of its frames
  /// are sound, as behind the encoder's 1,024 frames and the file's 192,000 nothing follows.
  private func fragments(_ names: [String]) throws -> [Float] {
    let all = try SegmentedFile.decoded(names)
    #expect(all.count == 2 * (1_024 + 192_000 + 512))
    return Array(all.dropLast(2 * 512))
  }

  private func source(_ name: String, _ mode: String = "ranges") throws -> HTTPSource {
    try #require(HTTPSource(server.address(mode, name)))
  }

  @Test(.timeLimit(.minutes(5)))
  func `segments, discontinuities and items are joined by the player to the sample`()
    async throws
  {
    let one = try cut("-c:a aac -b:a 96k", "joint-one")
    let two = try cut("-c:a aac -b:a 128k", "joint-two")
    let parts = try cut("-c:a aac -b:a 64k", "joint-parts", "m4s")
    let lines =
      one[..<2] + ["#EXT-X-DISCONTINUITY"] + two[1..<3] + ["#EXT-X-DISCONTINUITY"] + [one[3]]
    try server.put(
      Array(SegmentedFile.list("", Array(lines), isWhole: true).utf8), "joint-first.m3u8")
    try server.put(
      Array(SegmentedFile.list("", Array(two), isWhole: true).utf8), "joint-second.m3u8")
    let items = try ["joint-first.m3u8", "joint-second.m3u8", "joint-parts.m3u8"].map {
      PlaylistItem(try source($0))
    }
    let (samples, told) = try await PlayedItems.play(
      items, format: AudioFormat(sampleRate: 48_000, channelCount: 2))
    let expected =
      try SegmentedFile.decoded(Array(one[..<2])) + SegmentedFile.decoded(Array(two[1..<3]))
      + SegmentedFile.decoded([one[3]]) + SegmentedFile.decoded(two)
      + fragments(["joint-parts-init.mp4"] + parts)
    #expect(firstDifference(samples, expected) == nil)
    #expect(samples.count == expected.count)
    #expect(
      told.filter { $0.hasPrefix("plays") || $0.hasPrefix("fails") } == [
        "plays joint-first.m3u8", "plays joint-second.m3u8", "plays joint-parts.m3u8",
      ])
  }

  @Test(.timeLimit(.minutes(5)))
  func `keys change from segment to segment, and some segments have none`() async throws {
    let encoding = "-c:a aac -b:a 96k"
    let plain = try cut(encoding, "keys-none")
    var names: [[String]] = []
    for (i, key) in [[UInt8](1...16), [UInt8](101...116)].enumerated() {
      let name = "keys-\(i)"
      try server.put(key, "\(name).key")
      try server.put(
        Array("\(name).key\n\(server.folder)/\(name).key\n".utf8), "\(name).info")
      names.append(
        try cut(encoding, name, "ts", ["-hls_key_info_file", "\(server.folder)/\(name).info"]))
    }
    // Without an IV that is the number of the segment.
    let lines = [
      "#EXT-X-KEY:METHOD=AES-128,URI=\"keys-0.key\"", names[0][0],
      "#EXT-X-KEY:METHOD=AES-128,URI=\"keys-1.key\"", names[1][1],
      "#EXT-X-KEY:METHOD=NONE", plain[2],
      "#EXT-X-KEY:METHOD=AES-128,URI=\"keys-0.key\"", names[0][3],
    ]
    try server.put(Array(SegmentedFile.list("", lines, isWhole: true).utf8), "keys.m3u8")
    let heard = try await Heard.of(try source("keys.m3u8"))
    #expect(heard.error == nil)
    let expected = try SegmentedFile.decoded(Array(plain.prefix(4)))
    #expect(firstDifference(heard.samples, expected) == nil)
    #expect(try server.requests("ranges", "keys-0.key").count == 1)
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["ts", "m4s"], ["ranges", "none", "reset=7000"])
  func `segments that are ranges of one file are loaded once`(
    kind: String, mode: String
  ) async throws {
    let name = "single-\(kind)-\(mode.prefix(4))"
    let path = try EncodedFile.path("-c:a aac -b:a 96k", "single.m4a")
    _ = try SegmentedFile.cut(path, name, kind, ["-hls_flags", "single_file"])
    let list = String(decoding: try SegmentedFile.bytes("\(name).m3u8"), as: UTF8.self)
    #expect(list.contains("#EXT-X-BYTERANGE:") && list.contains("BYTERANGE=") == (kind == "m4s"))
    let file = try #require(
      list.split(separator: "\n").last { $0.hasSuffix(kind) }.map(String.init))
    let heard = try await Heard.of(try source("\(name).m3u8", mode))
    #expect(heard.error == nil)
    let expected = try kind == "m4s" ? fragments([file]) : SegmentedFile.decoded([file])
    #expect(firstDifference(heard.samples, expected) == nil)
    if mode == "ranges" { #expect(try server.requests(mode, file).count == 1) }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a range in the midst of a long file is asked for, and not what lies before it`()
    async throws
  {
    let name = try cut("-c:a aac -b:a 96k", "far")[2]
    let segment = try SegmentedFile.bytes(name)
    let front = 3 << 20
    try server.put([UInt8](repeating: 0, count: front) + segment, "far-away.ts")
    let lines = ["#EXT-X-BYTERANGE:\(segment.count)@\(front)", "far-away.ts"]
    try server.put(Array(SegmentedFile.list("", lines, isWhole: true).utf8), "far.m3u8")
    let heard = try await Heard.of(try source("far.m3u8"))
    #expect(firstDifference(heard.samples, try SegmentedFile.decoded([name])) == nil)
    let requests = try server.requests("ranges", "far-away.ts")
    #expect(requests.first?.hasPrefix("bytes=\(front)-") == true, "\(requests)")
  }

  // MARK: Variants

  private func variants(_ low: String, _ high: String, _ name: String) throws {
    let text = """
      #EXTM3U
      #EXT-X-STREAM-INF:BANDWIDTH=320000,CODECS="mp4a.40.2"
      \(high)
      #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
      \(low)
      """
    try server.put(Array(text.utf8), name)
  }

  @Test(.timeLimit(.minutes(5)), arguments: ["ts", "m4s"])
  func `another variant goes on at the frame where the one before ends`(kind: String) async throws {
    let flags = "-c:a aac -aac_pns 0 -b:a "
    let low = try cut(flags + "64k", "switch-low-\(kind)", kind)
    let high = try cut(flags + "320k", "switch-high-\(kind)", kind)
    try variants("switch-low-\(kind).m3u8", "switch-high-\(kind).m3u8", "switch-\(kind).m3u8")
    let heard = try await Heard.of(try source("switch-\(kind).m3u8"))
    #expect(heard.error == nil)
    func whole(_ names: [String], _ name: String) throws -> [Float] {
      try kind == "m4s" ? fragments(["\(name)-init.mp4"] + names) : SegmentedFile.decoded(names)
    }
    let all = try whole(low, "switch-low-\(kind)")
    let better = try whole(high, "switch-high-\(kind)")
    #expect(heard.samples.count == all.count)
    let change = try #require(firstDifference(heard.samples, all)) / 2 * 2
    #expect(firstDifference(Array(heard.samples[change...]), Array(better[change...])) == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a line that is too slow for one variant carries the other to the end`() async throws {
    let low = try cut("-c:a aac -b:a 64k", "slow-low")
    _ = try cut("-c:a aac -b:a 320k", "slow-high")
    try variants("slow-low.m3u8", "../throttled=15000/slow-high.m3u8", "slow.m3u8")
    let heard = try await Heard.of(try source("slow.m3u8"))
    #expect(heard.error == nil)
    #expect(heard.samples.count == (try SegmentedFile.decoded(low)).count)
    let slow = try (0..<low.count).filter {
      try !server.requests("throttled=15000", "slow-high-\($0).ts").isEmpty
    }
    // It is tried, and left again.
    #expect((1...2).contains(slow.count), "\(slow)")
    #expect(try !server.requests("ranges", low[3]).isEmpty)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [true, false])
  func `a variant that is not there is done without`(isFirst: Bool) async throws {
    let names = try cut("-c:a aac -b:a 64k", "alone-\(isFirst)")
    let (there, gone) = ("alone-\(isFirst).m3u8", "../status=404/alone.m3u8")
    try variants(isFirst ? gone : there, isFirst ? there : gone, "without-\(isFirst).m3u8")
    let heard = try await Heard.of(try source("without-\(isFirst).m3u8"))
    #expect(heard.error == nil)
    #expect(firstDifference(heard.samples, try SegmentedFile.decoded(names)) == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a live stream of fragments begins in the midst`() async throws {
    // Noise that a code makes up (PNS) is another with another way to a place.
    let names = try cut("-c:a aac -aac_pns 0 -b:a 96k", "midst", "m4s")
    let map = "#EXT-X-MAP:URI=\"midst-init.mp4\""
    try SegmentedFile.put(
      pages: [
        SegmentedFile.list(map, names), SegmentedFile.list(map, names, isWhole: true),
      ], "midst-live.m3u8")
    let heard = try await Heard.of(try source("midst-live.m3u8", "pages"))
    #expect(heard.error == nil)
    let all = try fragments(["midst-init.mp4"] + names)
    // Two segments of 47 packets lie before it. What its first packet takes from the one before is missing.
    let expected = Array(all[(2 * 1_024 * 2 * 47)...])
    #expect(heard.samples.count == expected.count)
    #expect(
      firstDifference(
        Array(heard.samples.dropFirst(2 * 1_024)), Array(expected.dropFirst(2 * 1_024))) == nil)
  }
}
