// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

@testable import Attacca
@testable import AttaccaNetwork

/// Timed ID3 in streams of segments: told with the frame that it is true of.
@Suite("Timed tags") struct TimedTagTests {
  let server = RangeServer.shared

  /// Frames of a source's reader, and what it tells when.
  private func changes(of name: String, seekingTo place: Int64? = nil) throws
    -> (samples: [Float], changes: [TagChange])
  {
    let source = try #require(HTTPSource(server.address("ranges", name)))
    let frames = NetworkFrames(source, pool: FramePool())
    try frames.open()
    if let place { try frames.seek(to: place) }
    var (samples, changes) = ([Float](), [TagChange]())
    while true {
      do {
        guard let chunk = try frames.read(frames: 10_000) else { return (samples, changes) }
        samples += UnsafeBufferPointer(
          start: chunk.storage.samples, count: chunk.frameCount * 2)
        changes += frames.takeTagChanges()
      } catch is SourceIsWaiting {
      }
    }
  }

  /// Segments of a second of ffmpeg's, and the names they have.
  private func segments(_ name: String, _ kind: String) throws -> (list: String, names: [String]) {
    let path = try EncodedFile.path("-c:a aac -b:a 96k", "hls.m4a")
    let list = try SegmentedFile.cut(path, name, kind)
    let text = String(decoding: try SegmentedFile.bytes(list), as: UTF8.self)
    return (list, text.split(separator: "\n").filter { $0.hasSuffix(kind) }.map(String.init))
  }

  private func expect(_ changes: [TagChange], _ wanted: [(Int64, String)]) {
    #expect(changes.map(\.frame) == wanted.map(\.0))
    #expect(changes.map { $0.tags.title } == wanted.map { Optional($0.1) })
  }

  @Test(.timeLimit(.minutes(10)))
  func `packets of a transport stream are told at their times, whatever the segment`() async throws
  {
    let (list, names) = try segments("timed-ts", "ts")
    let whole = try await Heard.of(try #require(HTTPSource(server.address("ranges", list)))).samples
    var first = TransportStream()
    first.read(try SegmentedFile.bytes(names[0]))
    let begin = try #require(first.firstSound)
    /// Of the frame of a number: at 48 kHz 8 frames are 15 ticks.
    func time(_ frame: Int64) -> Int64 { begin + frame / 8 * 15 }
    let tags = [
      0: [(0, "One"), (24_000, "Two")], 1: [(52_800, "Three"), (53_600, "Three")],
      // In the midst of what an earlier segment still holds, and told again.
      2: [(110_400, "Four"), (100_000, "Three")],
    ]
    for (number, all) in tags {
      let stamped = all.map { (time(Int64($0.0)), TimedTagBytes.id3($0.1)) }
      let bytes = try SegmentedFile.bytes(names[number])
      try server.put(TimedTagBytes.stream(bytes, with: stamped), names[number])
    }
    let (samples, changes) = try changes(of: list)
    #expect(firstDifference(samples, whole) == nil)
    expect(changes, [(0, "One"), (24_000, "Two"), (52_800, "Three"), (110_400, "Four")])
    // Behind a seek what is true there is told with the first frame.
    expect(
      try self.changes(of: list, seekingTo: 60_000).changes,
      [(60_000, "Three"), (110_400, "Four")])
  }

  @Test(.timeLimit(.minutes(10)))
  func `boxes between fragments of MP4 are told at their times`() async throws {
    let (list, names) = try segments("timed-mp4", "m4s")
    let whole = try await Heard.of(try #require(HTTPSource(server.address("ranges", list)))).samples
    let header = try SegmentedFile.bytes("timed-mp4-init.mp4")
    let bytes = try SegmentedFile.bytes(names[0])
    let begin = try #require(MovieFragments(header: header, bytes)?.firstSound)
    let events = [(0, "One"), (14_400, "Two")].map {
      TimedTagBytes.event(TimedTagBytes.id3($0.1), at: begin + Int64($0.0) / 8 * 15)
    }
    try server.put(events.flatMap { $0 } + bytes, names[0])
    let (samples, changes) = try changes(of: list)
    #expect(firstDifference(samples, whole) == nil)
    expect(changes, [(0, "One"), (14_400, "Two")])
  }

  @Test(.timeLimit(.minutes(10)), arguments: [false, true])
  func `tags in front of bare frames are told with them`(hasTimes: Bool) async throws {
    let path = try EncodedFile.path("-c:a aac -ar 44100", "bare44.aac")
    let bare = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    var places: [Int] = []
    var place = 0
    while place + 7 <= bare.count {
      places.append(place)
      let head = bare[(place + 3)..<(place + 6)].map(Int.init)
      place += (head[0] & 3) << 11 | head[1] << 3 | head[2] >> 5
    }
    // Of 75 packets each, 76,800 frames.
    let cuts = [0, places[75], bare.count]
    let seconds = 76_800.0 / 44_100
    var lines: [String] = []
    for i in 0..<2 {
      let time = hasTimes ? 8_589_934_500 + Int64(Double(i) * 76_800 / 0.49) : nil
      let tag = TimedTagBytes.id3("Part \(i)", time: time.map { $0 & 0x1_FFFF_FFFF })
      let name = "timed-\(hasTimes)-\(i).aac"
      try server.put(tag + bare[cuts[i]..<cuts[i + 1]], name)
      lines += ["#EXTINF:\(seconds),", name]
    }
    let text = (["#EXTM3U", "#EXT-X-TARGETDURATION:3"] + lines + ["#EXT-X-ENDLIST", ""])
    try server.put(Array(text.joined(separator: "\n").utf8), "timed-\(hasTimes).m3u8")
    let (samples, changes) = try changes(of: "timed-\(hasTimes).m3u8")
    #expect(firstDifference(samples, try Fixtures.samples(at: path)) == nil)
    #expect(changes.map { $0.tags.title } == ["Part 0", "Part 1"])
    #expect(changes[0].frame == 0)
    #expect(abs(changes[1].frame - 76_800) <= 1)
  }

  @Test func `nothing of what is broken is read, and nothing traps`() {
    var random = SplitMix64(seed: 1)
    let tag = TimedTagBytes.id3("A")
    let bases = [
      [UInt8](repeating: 0x47, count: 188 * 4), tag, TimedTagBytes.event(tag, at: 5),
      TimedTagBytes.event(tag, at: .max),
    ]
    for _ in 0..<2_000 {
      var bytes = bases.randomElement(using: &random)!
      for _ in 0..<8 {
        let place = Int.random(in: 1..<bytes.count, using: &random)
        bytes[place] = .random(in: 0...255, using: &random)
      }
      bytes.removeLast(.random(in: 0...3, using: &random))
      var reader = TimedTagReader()
      for header in [[], bytes] {
        _ = reader.tags(in: bytes, front: [], header: header, seconds: 1)
        _ = reader.tags(in: [], front: bytes, header: header, seconds: .infinity)
      }
    }
  }

  @Test func `times go on where their 33 bits begin again`() {
    #expect(TimedTags.ticks(from: (1 << 33) - 10, to: 5) == 15)
    #expect(TimedTags.ticks(from: 5, to: (1 << 33) - 10) == -15)
    #expect(TimedTags(ticks: 900, tags: Tags()).frame(at: 44_100) == 441)
    #expect(TimedTags(ticks: -900, tags: Tags()).frame(at: 44_100) == 0)
    #expect(TimedTags(ticks: .max / 2, tags: Tags()).frame(at: 44_100) == .max)
  }
}
