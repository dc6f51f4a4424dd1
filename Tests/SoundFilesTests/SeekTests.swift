// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

@Suite struct SeekTests {
  private static let exact = Fixture.named(
    "formats/wav16.wav", "formats/wav24.wav", "formats/wavfloat.wav", "formats/wav-5.1-side.wav",
    "formats/aiff16.aiff", "formats/aiff24.aiff", "formats/caf16.caf", "formats/caf24.caf",
    "formats/w64.w64", "formats/rf64.wav", "formats/wav-from-pipe.wav", "formats/flac16.flac",
    "formats/flac24.flac", "formats/flac-5.1.flac", "formats/flac-no-seektable.flac",
    "formats/vorbis-stereo.ogg", "formats/vorbis-mono-22050.ogg", "formats/vorbis-5.1.ogg",
    "formats/vorbis-chained.ogg", "formats/opus-stereo.opus", "formats/opus-mono.opus",
    "formats/opus-5.1.opus", "album/08 opus.opus", "formats/mp3-cbr.mp3", "formats/mp3-vbr.mp3",
    "formats/mp3-48k.mp3",
    "formats/mp3-ffmpeg.mp3", "formats/mp3-cbr-no-header.mp3", "formats/mp3-after-junk.mp3")

  @Test(arguments: exact)
  func `after a seek come the frames that come there in a straight read`(
    fixture: Fixture
  ) throws {
    #expect(try Self.largestError(fixture.path, seeks: 120) == 0)
  }

  /// libmpg123 sums mono in an order that depends on how many frames it has decoded before: the
  /// last bit of a Float32 near full scale is 2^-24, and no more may differ.
  @Test(arguments: Fixture.named("formats/mp3-mono-22050.mp3", "formats/mp3-vbr-no-header.mp3"))
  func `after a seek in a mono MP3 come the same frames to the last bit but two`(
    fixture: Fixture
  ) throws {
    #expect(try Self.largestError(fixture.path, seeks: 120) <= 0x1p-22)
  }

  @Test func `seeks in a FLAC file whose length cannot be known read forward to the frame`()
    throws
  {
    let folder = try TemporaryFolder()
    var bytes = try TemporaryFolder.bytes(of: "formats/flac16.flac")
    // The frame count is the 36 bits from the middle of byte 21 of the file on.
    bytes[21] &= 0xF0
    bytes.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    // Nor does the last block, which is not whole.
    let path = try folder.file("unknown.flac", bytes.dropLast(100))
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(file.frameCount == nil)
    let frames = try Decoded(rest: file).frameCount
    #expect((50_000...60_001).contains(frames) && file.frameCount == Int64(frames))
    #expect(try Self.largestError(path, seeks: 20) == 0)
  }

  @Test func `seeks across the links of a chain find the link and its format`() throws {
    let file = try SoundFile(
      path: Fixture.path("formats/vorbis-chained-rates.ogg"), pool: FramePool())
    let straight = try Decoded(rest: file)
    #expect(straight.parts.map(\.format.sampleRate) == [44100, 48000])
    for (frame, part, place) in [(44100, 0, 44100), (44101, 1, 0), (50_000, 1, 5899), (7, 0, 7)] {
      try file.seek(to: Int64(frame))
      #expect(file.format == straight.parts[part].format)
      let chunk = try #require(try file.read(frames: 1))
      #expect(chunk.storage.samples[0] == straight.parts[part].samples[place * 2])
    }
  }

  @Test func `past the end is the end`() throws {
    for fixture in Self.exact {
      let file = try SoundFile(path: fixture.path, pool: FramePool())
      try file.seek(to: Int64(fixture.frameCount!))
      #expect(try file.read(frames: 10) == nil, "\(fixture.name)")
      try file.seek(to: 1 << 40)
      #expect(try file.read(frames: 10) == nil, "\(fixture.name)")
      // What has met the end must still seek right: libsndfile's Opus decoder does not by itself.
      try file.seek(to: Int64(fixture.frameCount!) - 1)
      #expect(try file.read(frames: 10)?.frameCount == 1, "\(fixture.name)")
    }
  }

  /// The largest difference between frames read after random seeks and in a straight read.
  static func largestError(_ path: String, seeks: Int, seed: UInt64 = 1685) throws -> Float {
    let file = try SoundFile(path: path, pool: FramePool())
    let straight = try Decoded(rest: file).samples
    let channels = file.format.channelCount
    let total = straight.count / channels
    var numbers = SplitMix64(seed: seed)
    var largest: Float = 0
    for round in 0..<seeks {
      // The ends are where decoders err; the first seek comes from the end.
      let frame = [0, total - 1][safe: round] ?? Int.random(in: 0..<total, using: &numbers)
      try file.seek(to: Int64(frame))
      let wanted = min(300, total - frame)
      let chunk = try #require(try file.read(frames: wanted))
      #expect(chunk.frameCount == wanted, "frame \(frame), seed \(seed)")
      let error = (0..<wanted * channels).reduce(Float(0)) {
        max($0, abs(chunk.storage.samples[$1] - straight[frame * channels + $1]))
      }
      if error > largest { largest = error }
    }
    return largest
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
