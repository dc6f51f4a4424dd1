// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// The first sound of a file comes of its beginning and its end, however much is in between.
@Suite struct LongFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What is read before the first frames are there: with 20 MB/s and 5 ms a request 300 ms are 1 MB in
  /// 50 requests.
  private func beginning(_ path: String) throws -> (bytes: Int, requests: Int) {
    try BytesRead.during {
      let file = try SoundFile(path: path, pool: FramePool())
      let chunk = try #require(try file.read(frames: 4_410))
      #expect(chunk.frameCount > 0)
    }
  }

  private func expectQuick(_ path: String, _ name: String) throws {
    let (bytes, requests) = try beginning(path)
    #expect(bytes < 1_000_000 && requests < 50, "\(name): \(bytes) bytes in \(requests) requests")
    let milliseconds = Double(bytes) / 20_000 + 5 * Double(requests)
    #expect(milliseconds < 300, "\(name): \(bytes) bytes in \(requests) requests")
  }

  @Test(arguments: ["mp3-cbr-no-header.mp3", "mp3-vbr-no-header.mp3"])
  func `a long MP3 without a count plays at once, and its length is found beside`(
    name: String
  ) throws {
    let frames = try MPEGFrames(of: "formats/\(name)")
    let path = try folder.file("long.mp3", frames.stream(60_000))
    try expectQuick(path, name)
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(file.frameCount == nil)
    let search = try #require(file.lengthSearch)
    #expect(search.frameCount == nil)
    search.run()
    #expect(search.frameCount == 60_000 * 1_152 && file.frameCount == 60_000 * 1_152)
  }

  @Test func `a joined MP3 of any length plays at once`() throws {
    let frames = try MPEGFrames(of: "formats/mp3-cbr.mp3")
    let path = try folder.file(
      "joined.mp3", try frames.countedStream(100) + frames.countedStream(50_000))
    try expectQuick(path, "joined")
  }

  @Test func `the length of an MP3 that was read to its end is known`() throws {
    let frames = try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3")
    let file = try SoundFile(
      path: try folder.file("long.mp3", frames.stream(1_500)), pool: FramePool())
    #expect(file.frameCount == nil)
    #expect(try Decoded(rest: file, framesPerRead: 65_536).frameCount == 1_500 * 1_152)
    #expect(file.frameCount == 1_500 * 1_152 && file.truncation == nil)
  }

  @Test(arguments: [false, true])
  func `seeks in a long MP3 without a count are exact, before its length is known and after`(
    isKnown: Bool
  ) throws {
    let frames = try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3")
    let path = try folder.file("long.mp3", frames.stream(3_000))
    let straight = try Decoded(
      rest: SoundFile(path: path, pool: FramePool()), framesPerRead: 65_536
    ).samples
    #expect(straight.count == 2 * 3_000 * 1_152)
    // The second lies further ahead than is looked for by reading on.
    for frame in [1_000_000, 3_400_000, 5, 3_455_999, 2_000_001] {
      let file = try SoundFile(path: path, pool: FramePool())
      if isKnown { file.lengthSearch?.run() }
      try file.seek(to: Int64(frame))
      let chunk = try #require(try file.read(frames: 300))
      #expect(chunk.frameCount == min(300, 3_456_000 - frame))
      let same = (0..<chunk.frameCount * 2).allSatisfy {
        chunk.storage.samples[$0] == straight[2 * frame + $0]
      }
      #expect(same, "frame \(frame)")
    }
    #expect(try SeekTests.largestError(path, seeks: 20) == 0)
    let file = try SoundFile(path: path, pool: FramePool())
    try file.seek(to: 1 << 40)
    #expect(try file.read(frames: 10) == nil)
    #expect(file.frameCount == 3_456_000)
  }

  @Test func `who has the same file open shares the search for its length, and it ends with them`()
    throws
  {
    let frames = try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3")
    let path = try folder.file("long.mp3", frames.stream(2_000))
    var first: SoundFile? = try SoundFile(path: path, pool: FramePool())
    var second: SoundFile? = try SoundFile(path: path, pool: FramePool())
    weak let search = first?.lengthSearch
    #expect(second?.lengthSearch === search)
    #expect(search?.advance() == true && search?.frameCount == nil)
    first = nil
    #expect(search?.isOver == false)
    second = nil
    #expect(search == nil)
    let third = try SoundFile(path: path, pool: FramePool())
    third.lengthSearch?.run()
    #expect(third.frameCount == 2_304_000)
    let fourth = try SoundFile(path: path, pool: FramePool())
    #expect(fourth.frameCount == 2_304_000)
  }

  @Test func `a seek looks no further than it goes`() throws {
    let frames = try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3")
    let path = try folder.file("long.mp3", frames.stream(60_000))
    let file = try SoundFile(path: path, pool: FramePool())
    // A tenth of 25 MB.
    let read = try BytesRead.during {
      try file.seek(to: 6_000 * 1_152)
      #expect(try file.read(frames: 1_000)?.frameCount == 1_000)
    }
    #expect(read.bytes < 4_000_000 && file.frameCount == nil)
    // The next one to go there has it at hand.
    let other = try SoundFile(path: path, pool: FramePool())
    let again = try BytesRead.during { try other.seek(to: 6_000 * 1_152) }
    #expect(again.bytes < 1_000_000)
  }

  @Test func `several threads search the same file, and find the same`() async throws {
    let frames = try MPEGFrames(of: "formats/mp3-vbr-no-header.mp3")
    let path = try folder.file("long.mp3", frames.stream(20_000))
    let found = try await withThrowingTaskGroup(of: (Int64?, [Float]).self) { group in
      for _ in 0..<4 {
        group.addTask {
          let file = try SoundFile(path: path, pool: FramePool())
          try file.seek(to: 15_000 * 1_152 + 7)
          let chunk = try #require(try file.read(frames: 500))
          file.lengthSearch?.run()
          // In one channel.
          let samples = (0..<chunk.frameCount).map { chunk.storage.samples[$0] }
          return (file.frameCount, samples)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (count, samples) in found {
      #expect(count == 23_040_000)
      #expect(samples.count == 500)
      #expect(samples == found[0].1)
    }
  }

  @Test func `a long MP3 that ends inside a frame says so at its end`() throws {
    let frames = try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3")
    let path = try folder.file("cut.mp3", frames.stream(1_500).dropLast(100))
    let file = try SoundFile(path: path, pool: FramePool())
    let count = try Decoded(rest: file, framesPerRead: 65_536).frameCount
    #expect((1_499 * 1_152...1_500 * 1_152).contains(count))
    #expect(file.truncation?.cause.hasPrefix("the file ends inside an MPEG frame") == true)
  }

  @Test(arguments: [WrittenFileType.Container.ogg, .opus])
  func `a chain of 10,000 links plays at once, each link in its turn`(
    container: WrittenFileType.Container
  ) throws {
    let link = try link(container, frames: 4_800)
    try expectQuick(
      try folder.file("long.ogg", OggPages.chain(of: link, count: 10_000)), "10,000 links")
    let count = (1 << 19) / link.count + 20
    let path = try folder.file("chain.ogg", OggPages.chain(of: link, count: count))
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(file.frameCount == nil)
    let straight = try Decoded(rest: file).samples
    #expect(straight.count == 2 * 4_800 * count)
    #expect(file.frameCount == Int64(4_800 * count) && file.truncation == nil)
    let searched = try SoundFile(path: path, pool: FramePool())
    searched.lengthSearch?.run()
    #expect(searched.frameCount == Int64(4_800 * count))
    let one = try Decoded(path: try folder.file("one.ogg", link)).samples
    #expect((0..<count).allSatisfy { straight[$0 * one.count..<($0 + 1) * one.count] == one[...] })
    #expect(try SeekTests.largestError(path, seeks: 40) == 0)
    let other = try SoundFile(path: path, pool: FramePool())
    try other.seek(to: 1 << 40)
    #expect(try other.read(frames: 1) == nil)
    #expect(other.frameCount == Int64(4_800 * count))
  }

  @Test func `long links of a chain are found by their ends, not by all of their pages`() throws {
    let (short, long) = (try link(.ogg, frames: 4_800), try link(.ogg, frames: 800_000))
    let path = try folder.file(
      "links.ogg",
      OggPages.chain(of: long, count: 3) + OggPages.chain(of: short, count: 5, from: 4))
    try expectQuick(path, "\(long.count) bytes a link")
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(try Decoded(rest: file, framesPerRead: 65_536).frameCount == 3 * 800_000 + 5 * 4_800)
  }

  @Test func `FLAC, Vorbis and Opus of any length play at once, with a count and without`() throws {
    for container in [WrittenFileType.Container.flac, .ogg, .opus] {
      let bytes = try link(container, frames: 4_000_000)
      let path = try folder.file("long.\(container.rawValue)", bytes)
      try expectQuick(path, container.rawValue)
      if container == .flac {
        try expectQuick(
          try folder.file("uncounted.flac", Self.withoutCount(bytes)), "FLAC without a count")
      }
    }
  }

  @Test func `FLAC without a count has its length, its tags and exact seeks`() throws {
    let counted = try link(.flac, frames: 1_000_007)
    let bytes = Self.withoutCount(counted)
    let tag = Array("TAG".utf8) + [UInt8](repeating: 32, count: 125)
    for (name, bytes) in [("plain", bytes), ("tagged", bytes + tag)] {
      let path = try folder.file("\(name).flac", bytes)
      let file = try SoundFile(path: path, pool: FramePool())
      #expect(file.frameCount == 1_000_007, "\(name)")
      #expect(try Decoded(rest: file).frameCount == 1_000_007 && file.truncation == nil, "\(name)")
      #expect(try SeekTests.largestError(path, seeks: 30) == 0, "\(name)")
    }
    // What cannot be known is not guessed.
    let cut = try SoundFile(
      path: try folder.file("cut.flac", bytes.dropLast(1_000)), pool: FramePool())
    #expect(cut.frameCount == nil)
    let frames = try Decoded(rest: cut).frameCount
    #expect((900_000..<1_000_007).contains(frames) && cut.frameCount == Int64(frames))
  }

  /// As a writer to a pipe leaves it.
  private static func withoutCount(_ flac: [UInt8]) -> [UInt8] {
    var bytes = flac
    bytes[21] &= 0xF0
    bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    return bytes
  }

  @Test func `WAV with 400 MB of junk before a gigabyte of samples plays at once`() throws {
    func little(_ value: Int) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let junk = 400_000_000
    let path = try folder.file(
      "junk.wav",
      Array("RIFF".utf8) + little(1_400_000_044 + 8) + Array("WAVEJUNK".utf8) + little(junk))
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.seek(toOffset: UInt64(20 + junk))
    let format: [UInt8] = [1, 0, 2, 0] + little(44_100) + little(176_400) + [4, 0, 16, 0]
    try handle.write(
      contentsOf: Array("fmt ".utf8) + little(16) + format + Array("data".utf8)
        + little(1_000_000_000))
    try handle.truncate(atOffset: UInt64(20 + junk + 32 + 1_000_000_000))
    try handle.close()
    try expectQuick(path, "junk")
    #expect(try SoundFile(path: path, pool: FramePool()).frameCount == 250_000_000)
  }

  /// A file of noise that does not compress well.
  private func link(_ container: WrittenFileType.Container, frames: Int) throws -> [UInt8] {
    let path = "\(folder.path)/link.\(container.rawValue)"
    let isFLAC = container == .flac
    let writer = try SoundFileWriter(
      path: path, format: AudioFormat(sampleRate: 48_000, layout: .stereo),
      fileType: WrittenFileType(container: container, sampleFormat: isFLAC ? .int16 : .float32),
      overwrite: true)
    var state: UInt32 = 1
    let samples = [Float](unsafeUninitializedCapacity: 2 * frames) { samples, count in
      for i in 0..<2 * frames {
        state = state &* 1_664_525 &+ 1_013_904_223
        samples[i] = Float(state >> 16) / 131_072 - 0.25
      }
      count = 2 * frames
    }
    try samples.withUnsafeBufferPointer { try writer.write($0) }
    try writer.finish()
    return try TemporaryFolder.bytes(at: path)
  }
}
