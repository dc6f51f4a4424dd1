// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import SoundFiles
import Testing

@Suite struct FormatTests {
  @Test(arguments: [
    ("formats/wav16.wav", "WAV, 16 bit", 16), ("formats/wav24.wav", "WAV, 24 bit", 24),
    ("formats/wavfloat.wav", "WAV, 32 bit float", nil), ("formats/rf64.wav", "RF64, 16 bit", 16),
    ("formats/w64.w64", "W64, 16 bit", 16), ("formats/aiff24.aiff", "AIFF, 24 bit", 24),
    ("formats/caf24.caf", "CAF, 24 bit", 24), ("formats/flac24.flac", "FLAC, 24 bit", 24),
    ("formats/vorbis-stereo.ogg", "Ogg, Vorbis", nil), ("formats/opus-mono.opus", "Ogg, Opus", nil),
    ("formats/mp3-cbr.mp3", "MPEG, MP3", nil),
  ])
  func `container, encoding and depth are told`(name: String, text: String, bits: Int?) throws {
    let file = try SoundFile(path: Fixture.path(name), pool: FramePool())
    #expect(file.fileFormat.description == text)
    #expect(file.fileFormat.bitsPerSample == bits)
  }

  @Test(
    arguments: [
      ("formats/wav-5.1-back.wav", ChannelLayout.surround51),
      (
        "formats/wav-5.1-side.wav",
        ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight])
      ),
      ("formats/flac-5.1.flac", .surround51),
      ("formats/vorbis-5.1.ogg", vorbis51), ("formats/opus-5.1.opus", vorbis51),
      ("formats/wav-11025.wav", .mono), ("formats/mp3-cbr.mp3", .stereo),
    ])
  func `each channel's speaker is known`(name: String, layout: ChannelLayout) throws {
    #expect(try SoundFile(path: Fixture.path(name), pool: FramePool()).format.layout == layout)
  }

  private static let vorbis51 = ChannelLayout([
    .frontLeft, .frontCenter, .frontRight, .backLeft, .backRight, .lowFrequency,
  ])

  /// The low channel of the fixtures is a sine of 50 Hz, which no other speaker has.
  @Test(arguments: ["formats/vorbis-5.1.ogg", "formats/opus-5.1.opus"])
  func `the low-frequency speaker has the low frequencies`(name: String) throws {
    let file = try SoundFile(path: Fixture.path(name), pool: FramePool())
    let low = try #require(file.format.layout.firstIndex(of: .lowFrequency))
    let samples = try Decoded(rest: file).samples
    var crossings = [Int](repeating: 0, count: 6)
    for i in 6..<samples.count where (samples[i] < 0) != (samples[i - 6] < 0) {
      crossings[i % 6] += 1
    }
    // 60,001 frames at 48 kHz hold 62.5 periods, of two crossings each.
    #expect((120...130).contains(crossings[low]))
    #expect(crossings.filter { $0 <= 130 }.count == 1)
  }

  @Test(arguments: [
    ("album/01 flac.flac", "1"), ("album/07 vorbis.ogg", "7"), ("album/08 opus.opus", "8"),
    ("album/06 mp3 vbr.mp3", "6/15"),
  ])
  func `tags are read`(name: String, track: String) throws {
    let tags = try SoundFile(path: Fixture.path(name), pool: FramePool()).tags
    #expect(tags.artist == "The Attacca Fixtures")
    #expect(tags.album == "Without a Pause")
    #expect(tags.trackNumber == track)
  }

  @Test func `tags beyond ASCII arrive as written`() throws {
    func title(_ name: String) throws -> String? {
      try SoundFile(path: Fixture.path(name), pool: FramePool()).tags.title
    }
    #expect(try title("album/07 vorbis.ogg") == "Größe")
    #expect(try title("album/02 flac24.flac") == "Déjà entendu")
  }

  @Test(
    arguments: Fixture.named(
      "formats/flac16.flac", "formats/mp3-cbr.mp3",
      "formats/vorbis-stereo.ogg", "formats/opus-stereo.opus", "formats/wav16.wav"))
  func `steady reading takes no new memory from the pool`(fixture: Fixture) throws {
    let file = try SoundFile(path: fixture.path, pool: FramePool())
    let first = try #require(try file.read(frames: 512)).storage
    var reused = 0
    var reads = 0
    var held: FrameStorage? = try file.read(frames: 512)?.storage
    let second = held
    held = nil
    while let chunk = try file.read(frames: 512) {
      reads += 1
      if chunk.storage !== first, chunk.storage !== second { reused += 1 }
    }
    // Both are held here, so that a third goes round and round.
    #expect(reads > 40)
    #expect(reused == reads)
  }
}
