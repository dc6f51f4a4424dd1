// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// Pictures in files: told by what they are, and read when they are asked for.
@Suite struct PictureTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How mutagen puts the picture `data` into the file at `path`.
  private struct Writer: CustomTestStringConvertible {
    let name: String
    let options: String
    let script: String
    var testDescription: String { name }

    private static let block = """
      from mutagen.flac import Picture
      p = Picture()
      p.data, p.type, p.mime, p.desc = data, 3, 'image/png', 'Ä cover'

      """
    private static let comment = """
      import base64
      f['METADATA_BLOCK_PICTURE'] = [base64.b64encode(p.write()).decode()]
      f['TITLE'] = 'Behind'
      f.save()
      """
    static let all = [
      Writer(
        name: "a.flac", options: "-c:a flac",
        script: block + "import mutagen.flac\nf = mutagen.flac.FLAC(path)\nf.add_picture(p)\n"
          + "f['TITLE'] = 'Behind'\nf.save()"),
      Writer(
        name: "c.flac", options: "-c:a flac",
        script: block + "import mutagen.flac\nf = mutagen.flac.FLAC(path)\n" + comment),
      Writer(
        name: "a.opus", options: "-c:a libopus",
        script: block + "import mutagen.oggopus\nf = mutagen.oggopus.OggOpus(path)\n" + comment),
      Writer(
        name: "a.ogg", options: "-c:a libvorbis",
        script: block + "import mutagen.oggvorbis\nf = mutagen.oggvorbis.OggVorbis(path)\n"
          + comment),
      Writer(
        name: "f.oga", options: "-c:a flac",
        script: block + "import mutagen.oggflac\nf = mutagen.oggflac.OggFLAC(path)\n" + comment),
      Writer(
        name: "a.mp3", options: "-c:a libmp3lame",
        script: """
          import mutagen.id3
          globals().update(vars(mutagen.id3))
          t = ID3(path)
          t.add(APIC(1, 'image/png', 3, 'Ä cover', data))
          t.add(TIT2(3, ['Behind']))
          t.save()
          """),
      Writer(
        name: "a.m4a", options: "-c:a alac",
        script: """
          from mutagen.mp4 import *
          f = MP4(path)
          if f.tags is None: f.add_tags()
          f.tags['covr'] = [MP4Cover(data, MP4Cover.FORMAT_PNG)]
          f.tags['\\xa9nam'] = ['Behind']
          f.save()
          """),
      Writer(
        name: "a.wv", options: "-c:a wavpack",
        script: """
          import mutagen.apev2
          globals().update(vars(mutagen.apev2))
          t = APEv2()
          t['Cover Art (Front)'] = APEValue('Ä cover'.encode() + b'\\0' + data, BINARY)
          t['Title'] = 'Behind'
          t.save(path)
          """),
      Writer(
        name: "a.wma", options: "-c:a wmav2",
        script: """
          import mutagen.asf
          globals().update(vars(mutagen.asf))
          import struct
          f = ASF(path)
          text = lambda s: s.encode('utf-16-le') + b'\\0\\0'
          f['WM/Picture'] = ASFByteArrayAttribute(
            struct.pack('<bi', 3, len(data)) + text('image/png') + text('Ä cover') + data)
          f['Title'] = 'Behind'
          f.save()
          """),
      Writer(
        name: "a.wav", options: "-c:a pcm_s16le",
        script: """
          import mutagen.id3
          globals().update(vars(mutagen.id3))
          import mutagen.wave
          f = mutagen.wave.WAVE(path)
          if f.tags is None: f.add_tags()
          f.tags.add(APIC(3, 'image/png', 3, 'Ä cover', data))
          f.tags.add(TIT2(3, ['Behind']))
          f.save()
          """),
    ]
  }

  /// Writes a file with a picture of `count` bytes that all differ from what is next to them.
  private func write(_ writer: Writer, count: Int) throws -> String {
    let path = "\(folder.path)/\(writer.name)"
    try Encoder(frames: 22_050).encode(writer.options, to: path)
    try Tool.mutagen(
      """
      import array
      n = int(sys.argv[2])
      data = b'\\x89PNG' + array.array('I', range(n // 4)).tobytes()[:n - 4]
      \(writer.script)
      """, path, "\(count)")
    return path
  }

  /// Bytes of the picture, which begins with a name of its type and then counts.
  private func expected(_ range: Range<Int>) -> [UInt8] {
    let name: [UInt8] = [0x89] + Array("PNG".utf8)
    return range.map { i in
      i < 4 ? name[i] : UInt8(truncatingIfNeeded: ((i - 4) / 4) >> (8 * ((i - 4) % 4)))
    }
  }

  private func expected(_ count: Int) -> [UInt8] { expected(0..<count) }

  @Test(arguments: Writer.all)
  private func `a picture is what was put in, with its type and its words`(writer: Writer) throws {
    let file = try SoundFile(path: try write(writer, count: 50_001), pool: FramePool())
    #expect(file.tags.title == "Behind")
    let pictures = try file.pictures()
    #expect(pictures.count == 1)
    let picture = try #require(pictures.first)
    #expect(picture.kind == .frontCover && picture.mediaType == "image/png")
    #expect(picture.byteCount == 50_001)
    if writer.name != "a.m4a" { #expect(picture.description == "Ä cover") }
    #expect(try file.bytes(of: picture) == expected(50_001))
    #expect(throws: SoundFileError.self) { try file.bytes(of: picture, atMost: 50_000) }
    // The sound is where it was.
    #expect(try Decoded(rest: file).frameCount >= 22_050)
  }

  @Test(
    arguments: Writer.all.filter {
      ["a.flac", "a.mp3", "a.m4a", "a.wv", "a.wav"].contains($0.name)
    })
  private func `a picture of 50 MB is not read for the sound, the tags and the list of pictures`(
    writer: Writer
  ) throws {
    // FLAC's blocks have 24 bits for their length.
    let count = writer.name == "a.flac" ? 16_000_000 : 50_000_000
    let path = try write(writer, count: count)
    let cost = try BytesRead.during {
      let file = try SoundFile(path: path, pool: FramePool())
      #expect(file.tags.title == "Behind")
      #expect(try file.pictures().map(\.byteCount) == [count])
      #expect(try Decoded(rest: file).frameCount >= 22_050)
    }
    #expect(cost.bytes < 1_000_000, "\(cost.bytes) bytes in \(cost.requests) requests")
    let file = try SoundFile(path: path, pool: FramePool())
    let picture = try #require(try file.pictures().first)
    #expect(try file.bytes(of: picture).suffix(4_000) == expected(count - 4_000..<count)[...])
  }

  @Test func `a picture with zeros between its bytes in the file is read without them`() throws {
    let stream = try MPEGFrames(of: "formats/mp3-cbr-no-header.mp3").stream(4)
    func size(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(count >> (7 * (3 - $0)) & 0x7F) } }
    let data: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE0] + (0..<300).flatMap { [0xFF, UInt8($0 & 0xFF)] } + [0xFF]
    // A description in UTF-16, whose mark has an 0xFF too.
    let content: [UInt8] =
      [1] + Array("image/jpeg".utf8) + [0, 4, 0xFF, 0xFE, 0x41, 0, 0, 0] + data
    let made = content.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
    let frame = Array("APIC".utf8) + size(made.count + 4) + [0, 3] + size(content.count) + made
    let bytes = Array("ID3".utf8) + [4, 0, 0x80] + size(frame.count) + frame + stream
    let file = try SoundFile(bytes, name: "a.mp3", pool: FramePool())
    let picture = try #require(try file.pictures().first)
    #expect(
      picture.kind == .backCover && picture.description == "A" && picture.byteCount == data.count)
    #expect(try file.bytes(of: picture) == data)
  }

  /// Bytes that the process has read that decodes the file at `path`.
  private func bytesReadByHelper(of path: String) throws -> Int {
    for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8),
        name.hasPrefix("attacca-decode"),
        let file = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(process)/fd/3"),
        file == path,
        let text = try? String(contentsOfFile: "/proc/\(process)/io", encoding: .utf8),
        let line = text.split(separator: "\n").first(where: { $0.hasPrefix("rchar: ") })
      else { continue }
      return Int(line.dropFirst(7)) ?? -1
    }
    return -1
  }

  @Test(arguments: Writer.all.filter { ["a.m4a", "a.wv"].contains($0.name) })
  private func `the process that decodes a file does not read its picture either`(
    writer: Writer
  ) throws {
    let path = try write(writer, count: 50_000_000)
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(try Decoded(rest: file).frameCount == 22_050)
    try file.seek(to: 10_000)
    let read = try bytesReadByHelper(of: path)
    #expect((1_000..<5_000_000).contains(read), "\(read) bytes")
  }

  @Test(arguments: [30_000, 50_000_000])
  func `what is attached to Matroska is passed by, whatever stands behind it`(count: Int) throws {
    let encoder = Encoder(frames: 22_050)
    let source = "\(folder.path)/a.flac"
    try encoder.encode("-c:a flac", to: source)
    let cover = "\(folder.path)/cover.png"
    try Tool.mutagen("open(path, 'wb').write(bytes(int(sys.argv[2])))", cover, "\(count)")
    let path = "\(folder.path)/a.mka"
    try Tool.run(
      "mkvmerge",
      ["-q", "-o", path, "--attachment-mime-type", "image/png", "--attach-file", cover, source])
    let file = try SoundFile(path: path, pool: FramePool())
    #expect(try Decoded(rest: file).samples == encoder.samples)
    #expect(try file.pictures().map(\.byteCount) == [count])
    let read = try bytesReadByHelper(of: path)
    #expect((1_000..<5_000_000).contains(read), "\(read) bytes")
  }

  @Test func `pictures attached to Matroska are told by their names and types`() throws {
    let source = "\(folder.path)/a.opus"
    try Encoder(frames: 22_050).encode("-c:a libopus", to: source)
    let bytes = expected(30_000)
    let cover = try folder.file("cover.png", bytes)
    let other = try folder.file("other.txt", "No picture".utf8)
    let path = "\(folder.path)/a.mka"
    try Tool.run(
      "mkvmerge",
      ["-q", "-o", path, "--attachment-mime-type", "image/png", "--attach-file", cover]
        + ["--attachment-mime-type", "text/plain", "--attach-file", other, source])
    let file = try SoundFile(path: path, pool: FramePool())
    let pictures = try file.pictures()
    #expect(pictures.map(\.kind) == [.frontCover] && pictures.map(\.mediaType) == ["image/png"])
    #expect(try pictures.map { try file.bytes(of: $0) } == [bytes])
  }
}
