// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// What begins as a sound file does and goes on as noise is refused after little of it was read: a
/// list of a thousand such files is not to hold up the one that follows.
@Suite struct BoundedReadingTests {
  private static let beginnings: [(name: String, bytes: [UInt8])] = [
    ("nothing", []), ("FLAC", Array("fLaC".utf8)), ("MPEG", [0xFF, 0xFB, 0x90, 0x64]),
    ("ID3", Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 16]),
    ("ID3 before FLAC", Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, 0] + Array("fLaC".utf8)),
    ("Ogg", Array("OggS".utf8) + [0, 2]),
    ("WAV", Array("RIFF".utf8) + [0, 16, 0, 0] + Array("WAVEfmt ".utf8)),
    ("AIFF", Array("FORM".utf8) + [0, 0, 16, 0] + Array("AIFF".utf8)),
    ("CAF", Array("caff".utf8) + [0, 1, 0, 0]),
  ]

  /// Bytes that this thread has read through system calls.
  private func bytesRead() throws -> Int {
    let text = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
    return try #require(Int(line.dropFirst("rchar: ".count)))
  }

  /// xorshift64: the same noise in each run.
  private func noise(bytes count: Int) -> [UInt8] {
    var state: UInt64 = 88_172_645_463_325_252
    var bytes: [UInt8] = []
    while bytes.count < count {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
  }

  @Test(arguments: beginnings.indices)
  func `of 5 MB of noise behind a good beginning less than 300 kB are read`(i: Int) throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("noise", Self.beginnings[i].bytes + noise(bytes: 5_000_000))
    let before = try bytesRead()
    #expect(throws: SoundFileError.self) {
      try SoundFile(path: path, pool: FramePool()).read(frames: 48_000)
    }
    #expect(try bytesRead() - before < 300_000, "\(Self.beginnings[i].name)")
  }

  /// How much of a good file stands before the noise, and how many frames can be played of it.
  private static let stumps: [(name: String, bytes: Int, frames: ClosedRange<Int>)] = [
    ("formats/mp3-cbr.mp3", 417 + 5 * 418, 2_000...6_000),
    ("formats/mp3-cbr-no-header.mp3", 5 * 418, 2_000...6_000),
    ("formats/mp3-vbr-no-header.mp3", 60_000, 100_000...600_000),
    ("formats/vorbis-stereo.ogg", 4_300, 0...0), ("formats/vorbis-stereo.ogg", 20_000, 1...60_000),
    ("formats/opus-stereo.opus", 1_000, 0...0), ("album/08 opus.opus", 60_000, 40_000...130_000),
    ("formats/flac16.flac", 100, 0...0), ("formats/flac16.flac", 4_000, 1...40_000),
  ]

  @Test(arguments: stumps.indices)
  func `what stands before 5 MB of noise is played, and less than 700 kB of those are read`(
    i: Int
  ) throws {
    let stump = Self.stumps[i]
    let folder = try TemporaryFolder()
    let good = try TemporaryFolder.bytes(of: stump.name).prefix(stump.bytes)
    let path = try folder.file("stump", good + noise(bytes: 5_000_000))
    let before = try bytesRead()
    var frames = 0
    var error: SoundFileError?
    do throws(SoundFileError) {
      let file = try SoundFile(path: path, pool: FramePool())
      while let chunk = try file.read(frames: 4_800) { frames += chunk.frameCount }
      error = file.truncation
    } catch let thrown {
      error = thrown
    }
    let comment = "\(stump.name), \(stump.bytes) bytes: \(frames) frames, \(error as Any)"
    #expect(stump.frames.contains(frames), "\(comment)")
    #expect(error != nil, "\(comment)")
    #expect(try bytesRead() - before < 700_000, "\(comment)")
  }

  /// With the end of the file behind the noise it is no rubbish, and libvorbisfile would read on.
  @Test func `of 5 MB of noise in a Vorbis file less than 2 MB are read, and its end is told`()
    throws
  {
    let good = try TemporaryFolder.bytes(of: "formats/vorbis-stereo.ogg")
    let folder = try TemporaryFolder()
    let path = try folder.file(
      "holed", good.prefix(20_000) + noise(bytes: 5_000_000) + good.dropFirst(20_000))
    let before = try bytesRead()
    let file = try SoundFile(path: path, pool: FramePool())
    var frames = 0
    while let chunk = try file.read(frames: 4_800) { frames += chunk.frameCount }
    #expect(try bytesRead() - before < 2_000_000)
    #expect(file.truncation?.kind == .truncated && (1...60_000).contains(frames))
  }

  @Test(arguments: ["mp3-cbr-no-header.mp3", "mp3-vbr-no-header.mp3", "vorbis-stereo.ogg"])
  func `what follows a hole of 2 kB of noise is played`(name: String) throws {
    let folder = try TemporaryFolder()
    var bytes = try TemporaryFolder.bytes(of: "formats/\(name)")
    let whole = try Decoded(path: Fixture.path("formats/\(name)")).samples
    let hole = bytes.count / 2..<bytes.count / 2 + 2_048
    bytes.replaceSubrange(hole, with: noise(bytes: hole.count))
    let file = try SoundFile(path: try folder.file(name, bytes), pool: FramePool())
    let heard = try Decoded(rest: file).samples
    #expect(heard.count < whole.count && heard.count > whole.count * 3 / 4)
    // Neither codec looks further back than a few frames.
    #expect(heard.prefix(heard.count / 3) == whole.prefix(heard.count / 3))
    #expect(heard.suffix(heard.count / 3) == whole.suffix(heard.count / 3))
  }

  @Test func `a hole of 2 kB of noise in the first link of a chain takes nothing of the second`()
    throws
  {
    let folder = try TemporaryFolder()
    var bytes = try TemporaryFolder.bytes(of: "formats/vorbis-chained.ogg")
    let whole = try Decoded(path: Fixture.path("formats/vorbis-chained.ogg")).samples
    let hole = bytes.count / 4..<bytes.count / 4 + 2_048
    bytes.replaceSubrange(hole, with: noise(bytes: hole.count))
    let file = try SoundFile(path: try folder.file("chain.ogg", bytes), pool: FramePool())
    let heard = try Decoded(rest: file).samples
    #expect(heard.count < whole.count && heard.count > whole.count / 2)
    #expect(heard.suffix(whole.count / 3) == whole.suffix(whole.count / 3))
  }
}
