// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Files that others made of several, or with headers that lie.
@Suite struct JoinedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func joined(_ names: String...) throws -> String {
    var all: [UInt8] = []
    for (number, name) in names.enumerated() {
      var bytes = try TemporaryFolder.bytes(of: name)
      if name.hasSuffix(".opus") || name.hasSuffix(".ogg") {
        OggPages.setSerial(in: &bytes, to: UInt64(number) + 70)
      }
      all += bytes
    }
    return try folder.file("joined.\(names[0].split(separator: ".").last!)", all)
  }

  @Test func `a chain of Opus links plays them all, each with its own trim`() throws {
    let path = try joined("formats/opus-stereo.opus", "album/08 opus.opus")
    let file = try SoundFile(path: path, pool: FramePool())
    let parts = try ["formats/opus-stereo.opus", "album/08 opus.opus"].map {
      try Decoded(path: Fixture.path($0)).samples
    }
    #expect(file.frameCount == Int64((parts[0].count + parts[1].count) / 2))
    #expect(try Decoded(rest: file).samples == parts[0] + parts[1])
    #expect(try SeekTests.largestError(path, seeks: 40) == 0)
  }

  @Test func `a chain of Opus links of other channel counts changes the format between reads`()
    throws
  {
    let path = try joined("formats/opus-stereo.opus", "formats/opus-mono.opus")
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(file.frameCount == nil)
    let decoded = try Decoded(rest: file)
    #expect(decoded.parts.map(\.format.channelCount) == [2, 1])
    #expect(decoded.parts.map(\.samples.count) == [66151 * 2, 72001])
  }

  @Test func `seeks in a long chain of Vorbis links land on the frame`() throws {
    let path = try joined(
      "formats/vorbis-stereo.ogg", "album/07 vorbis.ogg", "formats/vorbis-stereo.ogg",
      "album/07 vorbis.ogg")
    #expect(try SeekTests.largestError(path, seeks: 300) == 0)
  }

  @Test func `MP3 files joined into one play in full and seek exactly`() throws {
    let path = try joined("formats/mp3-cbr.mp3", "formats/mp3-vbr.mp3")
    let file = try SoundFile(path: path, pool: FramePool())
    let expected = try #require(file.frameCount)
    // Two streams of 66,151 frames and of both the encoder's delay and padding, never less.
    #expect(expected >= 2 * 66151 && expected % 1152 == 0)
    #expect(try Decoded(rest: file).frameCount == Int(expected))
    #expect(try SeekTests.largestError(path, seeks: 60) == 0)
  }

  @Test func `an Opus stream whose time does not begin at 0 loses nothing and gains nothing`()
    throws
  {
    let plain = try Decoded(path: Fixture.path("formats/opus-stereo.opus")).samples
    var bytes = try TemporaryFolder.bytes(of: "formats/opus-stereo.opus")
    OggPages.shiftGranules(in: &bytes, by: 4808)
    let path = try folder.file("shifted.opus", bytes)
    #expect(try Decoded(path: path).samples == plain)
    #expect(try SeekTests.largestError(path, seeks: 60) == 0)
  }

  @Test func `an Info header with more frames than bytes is not believed`() throws {
    var bytes = try TemporaryFolder.bytes(of: "formats/mp3-vbr.mp3")
    let tag = try #require(bytes.firstRange(of: Array("Xing".utf8))).lowerBound
    bytes.replaceSubrange(tag + 8..<tag + 12, with: [0x7F, 0xFF, 0xFF, 0xFF])
    let file = try SoundFile(path: try folder.file("absurd.mp3", bytes), pool: FramePool())
    let frames = try #require(file.frameCount)
    #expect(frames >= 66151 && frames < 66151 + 4 * 1152)
    #expect(try Decoded(rest: file).frameCount == Int(frames))
  }

  @Test func `an MP3 whose delay and padding leave no frame is empty`() throws {
    var bytes = try TemporaryFolder.bytes(of: "formats/mp3-cbr.mp3")
    let tag = try #require(bytes.firstRange(of: Array("Info".utf8))).lowerBound
    // One frame, of whose 1,152 the delay and the padding take 4,095 each.
    bytes.replaceSubrange(tag + 8..<tag + 12, with: [0, 0, 0, 1])
    let encoder = try #require(bytes.firstRange(of: Array("LAME".utf8))).lowerBound
    bytes.replaceSubrange(encoder + 21..<encoder + 24, with: [0xFF, 0xFF, 0xFF])
    let path = try folder.file("none.mp3", bytes.prefix(417 * 2 + 1))
    let frames = try? Decoded(path: path).frameCount
    #expect(frames == nil || frames! <= 1152)
  }

  @Test func `a WAV file of more than 4 GiB plays beyond what its length field holds`() throws {
    // 2^32 + 4,000 bytes of samples, all but the last few a hole in the file; the field says 4,000.
    var header = Array("RIFF".utf8) + Self.little(4036) + Array("WAVEfmt ".utf8)
    header += Self.little(16) + [1, 0, 2, 0] + Self.little(44100) + Self.little(176400)
    header += [4, 0, 16, 0] + Array("data".utf8) + Self.little(4000)
    let path = try folder.file("large.wav", header)
    let handle = try FileHandle(forWritingTo: URL(filePath: path))
    try handle.truncate(atOffset: 44 + 1 << 32 + 3996)
    try handle.seekToEnd()
    try handle.write(contentsOf: [0, 0x40, 0, 0xC0])
    try handle.close()

    let file = try SoundFile(path: path, pool: FramePool())
    let frames = Int64((1 << 32 + 4000) / 4)
    #expect(file.frameCount == frames)
    try file.seek(to: frames - 1)
    let last = try #require(try file.read(frames: 2))
    #expect(last.frameCount == 1)
    #expect([last.storage.samples[0], last.storage.samples[1]] == [0.5, -0.5])
  }

  @Test func `an AIFF file whose recorder crashed plays to its end`() throws {
    var bytes = try TemporaryFolder.bytes(of: "formats/aiff16.aiff")
    let common = try #require(bytes.firstRange(of: Array("COMM".utf8))).lowerBound
    bytes.replaceSubrange(common + 10..<common + 14, with: [0, 0, 0, 0])
    let sound = try #require(bytes.firstRange(of: Array("SSND".utf8))).lowerBound
    bytes.replaceSubrange(sound + 4..<sound + 8, with: [0, 0, 0, 8])
    let path = try folder.file("crashed.aiff", bytes.prefix(sound + 16 + 22051 * 4))
    let file = try SoundFile(path: path, pool: FramePool())
    let decoded = try Decoded(rest: file).samples
    #expect(
      firstDifference(decoded, try Decoded(path: Fixture.path("formats/aiff16.aiff")).samples)
        == nil)
    #expect(file.truncation?.cause == "the length was never written; 22051 frames are there")
  }

  @Test(arguments: ["aiff16.aiff", "caf16.caf", "rf64.wav", "w64.w64", "wav-from-pipe.wav"])
  func `half of an uncompressed file plays as half`(name: String) throws {
    let bytes = try TemporaryFolder.bytes(of: "formats/\(name)")
    let whole = try Decoded(path: Fixture.path("formats/\(name)")).samples
    let path = try folder.file(name, bytes.prefix(bytes.count / 2))
    let file = try SoundFile(path: path, pool: FramePool())
    let half = try Decoded(rest: file).samples
    #expect(half.count > whole.count * 4 / 10 && half[...] == whole.prefix(half.count))
    // Only a file that tells no length cannot be said to be cut.
    #expect((file.truncation == nil) == (name == "wav-from-pipe.wav"))
  }

  private static func little(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
