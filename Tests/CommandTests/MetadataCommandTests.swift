// SPDX-License-Identifier: Apache-2.0

@testable import AttaccaCLI
import Foundation
import Testing

/// What commands show and do of chapters, tags with several values and pictures.
struct MetadataCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let script = """
      ffmpeg -v error -f lavfi -i sine=d=4:r=48000 '\(folder.file("book.flac"))'
      /usr/bin/python3 -c "
      import sys, mutagen.flac
      f = mutagen.flac.FLAC(sys.argv[1])
      f['TITLE'], f['ARTIST'] = 'Book', ['One', 'Two']
      f['LYRICS'] = 'First line' + chr(10) + 'second line'
      for i, t in enumerate(['0.000', '1.500', '2.250']):
        f['CHAPTER%03d' % (i + 1)] = '00:00:0' + t
        f['CHAPTER%03dNAME' % (i + 1)] = 'Chapter %d' % (i + 1)
      p = mutagen.flac.Picture()
      p.data, p.type, p.mime, p.desc = b'x' * 1234, 3, 'image/png', 'The cover'
      f.add_picture(p)
      f.save()
      " '\(folder.file("book.flac"))'
      """
    let run = try Attacca(script: script)
    try #require(run.status == 0, "127 means: make setup-test; \(run.errors)")
  }

  @Test func `probe shows tags, chapters and pictures`() throws {
    let run = try Attacca("probe", folder.file("book.flac"))
    let lines = run.output.split(separator: "\n")
    for line in [
      "  title         Book", "  artist        One; Two", "  lyrics        2 lines",
      "  picture       front cover, image/png, 1234 bytes, The cover",
      "  chapter 1     0:00:00.000  Chapter 1", "  chapter 3     0:00:02.250  Chapter 3",
    ] {
      #expect(lines.contains { $0 == line }, "\(line) in \(run.output)")
    }
  }

  @Test func `probe prints them as JSON`() throws {
    let run = try Attacca("probe", "--json", folder.file("book.flac"))
    let files = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
    let file = try #require(files.first)
    #expect((file["tags"] as? [String: String])?["artist"] == "One; Two")
    let values = file["tagValues"] as? [String: [String]]
    #expect(
      values?["artist"] == ["One", "Two"] && values?["lyrics"] == ["First line\nsecond line"])
    let chapters = file["chapters"] as? [[String: Any]]
    #expect(chapters?.map { $0["title"] as? String } == ["Chapter 1", "Chapter 2", "Chapter 3"])
    #expect(chapters?.map { $0["start"] as? Double } == [0, 1.5, 2.25])
    #expect(run.output.contains("\"start\": 1.500000000"))
    #expect(
      chapters?.allSatisfy { $0["end"] is NSNull && ($0["chapters"] as? [Any])?.isEmpty == true }
        == true)
    let picture = try #require((file["pictures"] as? [[String: Any]])?.first)
    #expect(picture["kind"] as? String == "frontCover" && picture["bytes"] as? Int == 1_234)
    #expect(picture["type"] as? String == "image/png")
  }

  @Test func `playing begins with the chapter that is asked for, and says which ones come`() throws
  {
    let rendered = folder.file("part.wav")
    let render = try Attacca(
      "play", "--chapter", "2", "--output", rendered, folder.file("book.flac"))
    #expect(render.status == 0, "\(render.errors)")
    // 4 s but for the first 1.5.
    #expect(try Attacca("probe", rendered).output.contains("120000 frames"))
    let played = try Attacca("play", "--chapter", "2", "--output", "null", folder.file("book.flac"))
    #expect(
      played.output
        == "1 of 1: One; Two – Book (\(folder.file("book.flac")))\n  Chapter 2\n  Chapter 3\n")
  }

  @Test func `a chapter that there is not is refused with how many there are`() throws {
    let run = try Attacca("play", "--chapter", "4", "--output", "null", folder.file("book.flac"))
    #expect(run.status == 2)
    #expect(run.errors == "attacca: \(folder.file("book.flac")) has 3 chapters, no chapter 4\n")
    let both = try Attacca("play", "--chapter", "1", "--start", "1", folder.file("book.flac"))
    #expect(both.status == 64 || both.status == 1)
    #expect(both.errors.contains("--start and --chapter are two places to begin"))
  }

  @Test func `braces go to other chapters`() {
    var reader = KeyReader()
    #expect(reader.read(UInt8(ascii: "{")) == .previousChapter)
    #expect(reader.read(UInt8(ascii: "}")) == .nextChapter)
    #expect(Key.overview.contains("{, }"))
  }
}
