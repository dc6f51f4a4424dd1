// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

@Suite struct BrokenFileTests {
  private func failure(_ path: String) -> SoundFileError? {
    do throws(SoundFileError) {
      _ = try SoundFile(path: path, pool: FramePool())
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("text.mp3", SoundFileError.Kind.notAudio), ("noise.mp3", .notAudio), ("empty.wav", .empty),
    ("header-only.wav", .empty), ("absurd-rate.wav", .absurdHeader),
    ("absurd-channels.wav", .absurdHeader), ("absurd-both.wav", .absurdHeader),
    ("truncated.opus", .truncated),
  ])
  func `what cannot be played is refused with its cause`(
    name: String, kind: SoundFileError.Kind
  ) throws {
    let error = try #require(failure(Fixture.path("broken/\(name)")))
    #expect(error.kind == kind)
    #expect(error.description.hasPrefix(Fixture.path("broken/\(name)") + ": "))
  }

  @Test func `a refusal reads like help`() {
    let folder = Fixture.path("broken")
    #expect(
      failure("\(folder)/noise.mp3")?.description
        == "\(folder)/noise.mp3: not audio: the first bytes belong to no format known here")
    #expect(
      failure("\(folder)/nowhere.wav")?.debugDescription
        == "\(folder)/nowhere.wav: not there: No such file or directory (open, code 2)")
    #expect(
      failure("\(folder)/nowhere.wav")?.description
        == "\(folder)/nowhere.wav: not there: No such file or directory")
    #expect(failure(folder)?.description == "\(folder): cannot be read: a folder")
  }

  /// Those that end early, the frames that are there, and what is said.
  @Test(arguments: [
    ("truncated.wav", 7001, "7001 of 15000 frames"),
    ("crashed-recorder.wav", 15000, "the length was never written; 15000 frames are there"),
    ("header-only.flac", 0, "0 of 60001 frames"),
    ("truncated.flac", 36864, "36864 of 132301 frames"),
    ("truncated.mp3", 39215, "39215 of 66151 frames"),
    ("truncated.ogg", 25152, "the file ends inside an Ogg page, after 25152 frames"),
  ])
  func `what is there of a cut file is played, and the rest reported`(
    name: String, frames: Int, cause: String
  ) throws {
    let file = try SoundFile(path: Fixture.path("broken/\(name)"), pool: FramePool())
    #expect(try Decoded(rest: file).frameCount == frames)
    #expect(file.frameCount == Int64(frames))
    #expect(file.truncation?.kind == .truncated)
    #expect(file.truncation?.cause == cause)
    if frames > 0 {
      #expect(try SeekTests.largestError(Fixture.path("broken/\(name)"), seeks: 30) == 0)
    }
  }

  @Test func `the frames of a cut file are those of the whole one`() throws {
    let whole = try Decoded(path: Fixture.path("formats/mp3-cbr.mp3")).samples
    let cut = try Decoded(path: Fixture.path("broken/truncated.mp3")).samples
    // Where the next frame is missing the last one lacks its overlap.
    #expect(cut.dropLast(2 * 1152) == whole.prefix(cut.count - 2 * 1152))
  }

  @Test func `damage inside a file is silent, told, and no end`() throws {
    let file = try SoundFile(path: Fixture.path("broken/damaged.flac"), pool: FramePool())
    let heard = try #require(try file.read(frames: 9600))
    #expect(heard.frameCount == 9600)
    #expect(heard.storage.samples[8000] != 0)
    #expect((4096..<8192).allSatisfy { heard.storage.samples[2 * $0] == 0 })
    #expect(heard.storage.samples[2 * 9000] != 0)
    #expect(try file.read(frames: 1) == nil)
    #expect(file.truncation?.kind == .broken)
    #expect(
      file.truncation?.cause == "damaged at frame 4096; what is missing is silent")
    try file.seek(to: 4000)
    #expect(try file.read(frames: 96)?.storage.samples[0] == heard.storage.samples[8000])
  }

  @Test func `frames that a damaged Ogg page takes with it are reported`() throws {
    let folder = try TemporaryFolder()
    var bytes = try TemporaryFolder.bytes(of: "formats/vorbis-stereo.ogg")
    bytes[bytes.count / 2] ^= 0xFF
    let file = try SoundFile(path: try folder.file("a.ogg", bytes), pool: FramePool())
    #expect(file.frameCount == 66151 && file.truncation == nil)
    let frames = try Decoded(rest: file).frameCount
    #expect(frames < 66151 && frames > 30000)
    #expect(file.frameCount == Int64(frames))
    #expect(file.truncation?.cause == "\(frames) of 66151 frames")
  }

  @Test func `nothing but a regular file is opened`() throws {
    let folder = try TemporaryFolder()
    let pipe = "\(folder.path)/pipe.wav"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(failure(pipe)?.cause == "not a regular file")
    #expect(failure("/dev/zero")?.cause == "not a regular file")
    #expect(failure("http://example.org/a.mp3")?.kind == .unsupported)
  }

  @Test func `a length in frames that the bytes cannot hold is refused`() throws {
    let folder = try TemporaryFolder()
    var bytes = try TemporaryFolder.bytes(of: "formats/flac16.flac")
    bytes[21] |= 0x0F
    bytes.replaceSubrange(22..<26, with: [0xFF, 0xFF, 0xFF, 0xFF])
    // The last block tells it otherwise.
    #expect(failure(try folder.file("absurd.flac", bytes.dropLast(100)))?.kind == .absurdHeader)
  }

  @Test func `other streams in Ogg are named`() throws {
    let folder = try TemporaryFolder()
    var page = Array("OggS".utf8) + [0, 2] + [UInt8](repeating: 0, count: 20) + [1, 51]
    page += Array("fishead\0".utf8) + [UInt8](repeating: 0, count: 43)
    let error = try #require(failure(try folder.file("a.oga", page)))
    #expect(error.kind == .unsupported)
    #expect(error.cause == "Ogg with Skeleton; FLAC, Opus and Vorbis are decoded")
  }

  @Test func `headers cut anywhere are errors, never crashes`() throws {
    let folder = try TemporaryFolder()
    for name in [
      "formats/wav-5.1-side.wav", "formats/rf64.wav", "formats/w64.w64", "formats/aiff16.aiff",
      "formats/caf16.caf", "formats/flac16.flac", "formats/vorbis-stereo.ogg",
      "formats/opus-stereo.opus", "formats/mp3-vbr.mp3",
    ] {
      let bytes = try TemporaryFolder.bytes(of: name)
      for length in stride(from: 1, to: 240, by: 7) {
        let path = try folder.file("cut", bytes.prefix(length))
        guard failure(path) == nil else { continue }
        // Enough of a header to open: then no more frames than there are bytes.
        #expect(try Decoded(path: path).frameCount <= length, "\(name), \(length) bytes")
      }
    }
  }
}
