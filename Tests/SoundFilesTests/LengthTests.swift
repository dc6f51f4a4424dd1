// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import PlaylistFiles
import SoundFiles
import Testing

@Suite struct LengthTests {
  @Test(arguments: Fixture.playable)
  func `as many frames are decoded as are heard, and the header promised as many`(
    fixture: Fixture
  ) throws {
    let file = try SoundFile(path: fixture.path, pool: FramePool())
    #expect(file.format.sampleRate == fixture.sampleRate)
    #expect(file.format.channelCount == fixture.channelCount)
    #expect(file.frameCount == fixture.frameCount.map(Int64.init))

    let decoded = try Decoded(rest: file)
    #expect(decoded.frameCount == fixture.frameCount ?? decoded.frameCount)
    #expect(file.truncation == nil)
    #expect(try file.read(frames: 1) == nil)
  }

  @Test(arguments: Fixture.playable.filter { $0.name.hasPrefix("formats/") })
  func `a ramp comes out as it went in, bit for bit`(fixture: Fixture) throws {
    guard Self.ramps.contains(fixture.name) else { return }
    let samples = try Decoded(path: fixture.path).samples
    let channels = fixture.channelCount
    let wrong = samples.indices.first { i in
      let value = (i / channels + 4099 * (i % channels)) % 65536 - 32768
      return samples[i] != Float(value) / 32768
    }
    #expect(!samples.isEmpty)
    #expect(wrong == nil, "sample \(wrong ?? 0)")
  }

  private static let ramps: Set<String> = [
    "formats/wav16.wav", "formats/wav24.wav", "formats/wavfloat.wav", "formats/wav-5.1-back.wav",
    "formats/wav-5.1-side.wav", "formats/aiff16.aiff", "formats/aiff24.aiff", "formats/caf16.caf",
    "formats/caf24.caf", "formats/rf64.wav", "formats/flac16.flac", "formats/flac24.flac",
    "formats/flac-5.1.flac", "formats/flac-no-seektable.flac", "formats/wav-44101.wav",
    "formats/wav-11025.wav", "formats/wav-from-pipe.wav", "formats/flac-100-frames.flac",
    "formats/w64.w64",
  ]

  @Test func `an album cut from one piece is that piece again`() throws {
    let whole = try Decoded(path: Fixture.path("cut/uncut.flac")).samples
    let playlist = try PlaylistFile(path: Fixture.path("cut/cut.m3u8"))
    let joined = try playlist.entries.flatMap { try Decoded(path: $0.path.text).samples }
    #expect(playlist.entries.count == 7)
    #expect(joined == whole)
  }
}
