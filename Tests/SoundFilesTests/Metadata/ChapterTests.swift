// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaTime
import SampleBuffers
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

/// Chapters as mutagen, mkvmerge and ffmpeg write them.
@Suite struct ChapterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func file(_ options: String, _ name: String, frames: Int = 22_050) throws -> String {
    let path = "\(folder.path)/\(name)"
    try Encoder(frames: frames).encode(options, to: path)
    return path
  }

  private func chapters(_ path: String) throws -> [Chapter] {
    try SoundFile(path: path, pool: FramePool()).chapters
  }

  private func milliseconds(_ value: Int64) -> MediaTime {
    MediaTime(value: value, timescale: 1_000)
  }

  // MARK: Vorbis comments

  @Test(arguments: [
    ("-c:a flac", "a.flac", "mutagen.flac.FLAC"),
    ("-c:a libvorbis", "a.ogg", "mutagen.oggvorbis.OggVorbis"),
    ("-c:a libopus", "a.opus", "mutagen.oggopus.OggOpus"),
    ("-c:a flac", "f.oga", "mutagen.oggflac.OggFLAC"),
  ])
  func `chapters among Vorbis comments are exact, in any order`(
    options: String, name: String, type: String
  ) throws {
    var numbers = SplitMix64()
    let starts = (0..<120).map { _ in Int64.random(in: 0..<100_000_000, using: &numbers) }.sorted()
    let path = try file(options, name)
    let list = starts.map(String.init).joined(separator: ",")
    try Tool.mutagen(
      """
      import \(type.split(separator: ".").dropLast().joined(separator: "."))
      f = \(type)(path)
      starts = [int(x) for x in sys.argv[2].split(',')]
      for i in reversed(range(len(starts))):
        ms = starts[i]
        f['CHAPTER%03dNAME' % (i + 1)] = 'Chapter %d' % (i + 1)
        f['CHAPTER%03d' % (i + 1)] = '%02d:%02d:%02d.%03d' % (
          ms // 3600000, ms // 60000 % 60, ms // 1000 % 60, ms % 1000)
      f.save()
      """, path, list)
    let chapters = try chapters(path)
    #expect(chapters.map(\.start) == starts.map(milliseconds), "seed \(numbers.seed)")
    #expect(chapters.map(\.title) == starts.indices.map { "Chapter \($0 + 1)" })
    #expect(
      try SoundFile(path: path, pool: FramePool()).tags.names.allSatisfy {
        !"\($0)".contains("chapter")
      })
  }

  // MARK: ID3

  @Test(arguments: [("-c:a libmp3lame", "a.mp3", 3), ("-c:a libmp3lame", "b.mp3", 4)])
  func `chapters of ID3 are nested as the tables of contents say`(
    options: String, name: String, version: Int
  ) throws {
    let path = try file(options, name)
    try Tool.mutagen(
      """
      import mutagen.id3
      globals().update(vars(mutagen.id3))
      t = ID3(path)
      def chap(id, start, end, title, more=[]):
        return CHAP(element_id=id, start_time=start, end_time=end, start_offset=0xFFFFFFFF,
          end_offset=0xFFFFFFFF, sub_frames=[TIT2(3, [title])] + more)
      top = CTOCFlags.TOP_LEVEL | CTOCFlags.ORDERED
      picture = APIC(3, 'image/png', 0, 'inner', b'\\x89PNG' * 30000)
      for f in [chap('c3', 2500, 4001, 'Three'), chap('c1', 0, 1501, 'One', [picture]),
        chap('c2', 1501, 2500, 'Zwei ü'), chap('loose', 9000, 9500, 'Loose'),
        CTOC('toc', top, ['part', 'c3', 'toc'], [TIT2(3, ['Contents'])]),
        CTOC('part', CTOCFlags.ORDERED, ['c1', 'c2', 'toc', 'nothing'], [TIT2(3, ['Part'])])]: t.add(f)
      t.save(v2_version=int(sys.argv[2]))
      """, path, "\(version)")
    let expected = [
      Chapter(
        title: "Part", start: milliseconds(0), end: milliseconds(2_500),
        chapters: [
          Chapter(title: "One", start: milliseconds(0), end: milliseconds(1_501)),
          Chapter(title: "Zwei ü", start: milliseconds(1_501), end: milliseconds(2_500)),
        ]),
      Chapter(title: "Three", start: milliseconds(2_500), end: milliseconds(4_001)),
      Chapter(title: "Loose", start: milliseconds(9_000), end: milliseconds(9_500)),
    ]
    #expect(try chapters(path) == expected)
    #expect(expected.flattened.map(\.title) == ["Part", "One", "Zwei ü", "Three", "Loose"])
  }

  @Test func `a thousand chapters of ID3 without a table of contents are told by their times`()
    throws
  {
    let path = try file("-c:a libmp3lame", "a.mp3")
    try Tool.mutagen(
      """
      import mutagen.id3
      globals().update(vars(mutagen.id3))
      t = ID3(path)
      for i in range(1000):
        t.add(CHAP(element_id='chp%d' % i, start_time=(i * 7919) % 1000 * 100, end_time=0xFFFFFFFF,
          start_offset=0, end_offset=0, sub_frames=[TIT2(3, [str((i * 7919) % 1000)])]))
      t.save()
      """, path)
    let all = try chapters(path)
    #expect(all.map(\.title) == (0..<1_000).map(String.init))
    #expect(all.map(\.start) == (0..<1_000).map { milliseconds(Int64($0 * 100)) })
    #expect(all.allSatisfy { $0.end == nil })
  }

  // MARK: MP4

  /// A list of ffmpeg's, of titles with the nanoseconds at which they begin.
  private func list(_ starts: [Int]) throws -> String {
    var text = ";FFMETADATA1\n"
    for (i, start) in starts.enumerated() {
      let end = i + 1 < starts.count ? starts[i + 1] : start + 1_000_000
      text +=
        "[CHAPTER]\nTIMEBASE=1/1000000000\nSTART=\(start)\nEND=\(end)\ntitle=Chapter \(i + 1)\n"
    }
    return try folder.file("chapters.txt", text.utf8)
  }

  @Test func `an MP4 file's list of chapters is read in units of 100 ns`() throws {
    let source = try file("-c:a aac", "source.m4a", frames: 200_000)
    let starts = [0, 1_000_123_400, 2_345_678_900, 4_000_000_100]
    let path = "\(folder.path)/a.m4b"
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", source, "-i", try list(starts), "-map", "0:a", "-map_chapters", "1"]
        + ["-c", "copy", "-f", "ipod", path])
    let all = try chapters(path)
    #expect(
      all.map(\.start) == starts.map { MediaTime(value: Int64($0 / 100), timescale: 10_000_000) })
    #expect(all.map(\.title) == (1...4).map { "Chapter \($0)" })
  }

  @Test(arguments: [3, 300])
  func `an MP4 file's chapters are those of its text track where it has no list, or not all in it`(
    count: Int
  ) throws {
    let source = try file("-c:a aac", "source.m4a", frames: 44_100 * 40)
    let starts = (0..<count).map { $0 * 125_000_000 }
    let path = "\(folder.path)/a.m4b"
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", source, "-i", try list(starts), "-map", "0:a", "-map_chapters", "1"]
        + ["-c", "copy", "-f", "mp4"] + (count == 3 ? ["-movflags", "disable_chpl"] : []) + [path])
    let all = try chapters(path)
    #expect(all.map(\.title) == (1...count).map { "Chapter \($0)" })
    #expect(
      all.map { RationalTime($0.start).frames(at: 1_000) } == starts.map { Int64($0 / 1_000_000) })
    if count == 3 { #expect(all.map { $0.end != nil } == [true, true, true]) }
  }

  // MARK: The helper's

  @Test func `chapters that libavformat alone tells of are told by the helper`() throws {
    let source = try file("-c:a wmav2", "source.wma", frames: 200_000)
    let starts = [0, 1_000_000_000, 2_500_000_000]
    let path = "\(folder.path)/a.wma"
    try Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", source, "-i", try list(starts), "-map", "0:a", "-map_chapters", "1"]
        + ["-c", "copy", path])
    let all = try chapters(path)
    #expect(all.map(\.title) == (1...3).map { "Chapter \($0)" })
    #expect(all.map { RationalTime($0.start).frames(at: 1_000) } == [0, 1_000, 2_500])
  }

  // MARK: Matroska

  @Test func `a Matroska file's chapters are nested, in nanoseconds, of the edition by default`()
    throws
  {
    let source = try file("-c:a libopus", "a.opus", frames: 400_000)
    func atom(
      _ start: String, _ end: String, _ title: String, _ inner: String = "", _ more: String = ""
    )
      -> String
    {
      """
      <ChapterAtom><ChapterTimeStart>\(start)</ChapterTimeStart><ChapterTimeEnd>\(end)</ChapterTimeEnd>\(more)
      <ChapterDisplay><ChapterString>\(title)</ChapterString><ChapterLanguage>ger</ChapterLanguage></ChapterDisplay>
      <ChapterDisplay><ChapterString>Another</ChapterString><ChapterLanguage>eng</ChapterLanguage></ChapterDisplay>
      \(inner)</ChapterAtom>
      """
    }
    let inner =
      atom("00:00:00.000000001", "00:00:01.000000000", "Ä")
      + atom("00:00:01.000000000", "00:00:02.123456789", "B")
    let xml = """
      <?xml version="1.0"?><Chapters>
      <EditionEntry><EditionFlagDefault>0</EditionFlagDefault>\(atom("00:00:00.0", "00:00:01.0", "Wrong"))</EditionEntry>
      <EditionEntry><EditionFlagDefault>1</EditionFlagDefault>
      \(atom("00:00:03.500000000", "00:00:04.000000000", "Last"))
      \(atom("00:00:00.000000001", "00:00:02.123456789", "Part", inner))
      \(atom("00:00:02.500000000", "00:00:03.000000000", "Hidden", "", "<ChapterFlagHidden>1</ChapterFlagHidden>"))
      </EditionEntry></Chapters>
      """
    let list = try folder.file("chapters.xml", xml.utf8)
    let path = "\(folder.path)/a.mka"
    try Tool.run("mkvmerge", ["-q", "-o", path, "--chapters", list, source])
    func time(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1_000_000_000) }
    #expect(
      try chapters(path) == [
        Chapter(
          title: "Part", start: time(1), end: time(2_123_456_789),
          chapters: [
            Chapter(title: "Ä", start: time(1), end: time(1_000_000_000)),
            Chapter(title: "B", start: time(1_000_000_000), end: time(2_123_456_789)),
          ]),
        Chapter(title: "Last", start: time(3_500_000_000), end: time(4_000_000_000)),
      ])
  }

  // MARK: Clips

  @Test func `a clip has the chapters of what it plays`() {
    func chapter(_ title: String, _ start: Int64, _ end: Int64? = nil, _ inner: [Chapter] = [])
      -> Chapter
    {
      Chapter(
        title: title, start: milliseconds(start), end: end.map(milliseconds), chapters: inner)
    }
    let all = [
      chapter("A", 0), chapter("B", 1_000, 2_000, [chapter("B1", 1_000), chapter("B2", 1_400)]),
      chapter("C", 3_000),
    ]
    #expect(
      all.clipped(from: milliseconds(1_500), to: milliseconds(2_500)) == [
        chapter("B", 0, 500, [chapter("B2", 0)])
      ])
    #expect(
      all.clipped(from: milliseconds(500), to: nil) == [
        chapter("A", 0),
        chapter("B", 500, 1_500, [chapter("B1", 500), chapter("B2", 900)]), chapter("C", 2_500),
      ])
    #expect(all.clipped(from: .zero, to: nil) == all)
    #expect(all.clipped(from: milliseconds(2_000), to: milliseconds(3_000)).isEmpty)
  }
}
