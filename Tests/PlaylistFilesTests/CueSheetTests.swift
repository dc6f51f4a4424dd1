// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PlaylistFiles
import SoundFiles
import TestFixtures
import Testing

@Suite struct CueSheetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func entries(
    _ text: String, _ pregaps: CueSheet.Pregaps = .kept
  ) throws -> [PlaylistFile.Entry] {
    try list(Array(text.utf8), pregaps).entries
  }

  private func list(
    _ bytes: [UInt8], _ pregaps: CueSheet.Pregaps = .kept
  ) throws -> PlaylistFile {
    try PlaylistFile(path: BytePath(try folder.file("a.cue", bytes)), pregaps: pregaps)
  }

  /// Parts as "name from-to" in 75ths of a second.
  private func parts(_ entries: [PlaylistFile.Entry]) -> [String] {
    entries.map { entry in
      let end = entry.end.map { "\(RationalTime($0).frames(at: 75))" } ?? ""
      return "\(entry.path.name) \(RationalTime(entry.start).frames(at: 75))-\(end)"
    }
  }

  private let pauses = """
    FILE "a.wav" WAVE
      TRACK 01 AUDIO
        INDEX 00 00:00:00
        INDEX 01 00:02:00
      TRACK 02 AUDIO
        INDEX 00 01:00:10
        INDEX 01 01:02:74
      TRACK 03 AUDIO
        INDEX 01 120:00:01
    """

  @Test func `a frame is a 75th of a second, 588 frames of a CD`() throws {
    let times = try entries(pauses).map { RationalTime($0.start).frames(at: 44_100) }
    #expect(times == [0, 4_724 * 588, 540_001 * 588] as [Int64])
  }

  @Test(arguments: [
    (CueSheet.Pregaps.kept, ["a.wav 0-4724", "a.wav 4724-540001", "a.wav 540001-"]),
    (.dropped, ["a.wav 150-4510", "a.wav 4724-540001", "a.wav 540001-"]),
    (.prepended, ["a.wav 0-4510", "a.wav 4510-540001", "a.wav 540001-"]),
  ])
  func `pregaps are kept, dropped or heard in front`(
    pregaps: CueSheet.Pregaps, expected: [String]
  ) throws {
    #expect(parts(try entries(pauses, pregaps)) == expected)
  }

  @Test(arguments: [
    (CueSheet.Pregaps.kept, ["a.wav 0-", "b.wav 0-"]),
    (.dropped, ["a.wav 0-300", "b.wav 0-"]),
    (.prepended, ["a.wav 0-300", "a.wav 300-", "b.wav 0-"]),
  ])
  func `a pregap may be in the file before its track's`(
    pregaps: CueSheet.Pregaps, expected: [String]
  ) throws {
    let text = """
      FILE "a.wav" WAVE
        TRACK 01 AUDIO
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          INDEX 00 00:04:00
      FILE "b.wav" WAVE
          INDEX 01 00:00:00
      """
    #expect(parts(try entries(text, pregaps)) == expected)
  }

  private let silences = """
    FILE "a.wav" WAVE
      TRACK 01 AUDIO
        PREGAP 00:02:00
        INDEX 01 00:00:00
        POSTGAP 00:00:10
      TRACK 02 AUDIO
        PREGAP 00:01:65
        INDEX 01 01:00:00
      TRACK 03 AUDIO
        INDEX 01 02:00:00
    """

  @Test(arguments: [
    (CueSheet.Pregaps.kept, [150, 150, nil]), (.prepended, [150, 150, nil]),
    (.dropped, [nil, nil, nil] as [Int64?]),
  ])
  func `silence that is in no file lies in front of tracks`(
    pregaps: CueSheet.Pregaps, expected: [Int64?]
  ) throws {
    let gaps = try entries(silences, pregaps).map { $0.gap }
    #expect(gaps == expected.map { $0.map { MediaTime(value: $0, timescale: 75) } })
  }

  @Test func `silence is written as it was read, and told where a format has none`() throws {
    let list = try list(Array(silences.utf8))
    let path = BytePath("\(folder.path)/b.cue")
    try list.write(to: path)
    #expect(try PlaylistFile(path: path).entries.map(\.gap) == list.entries.map(\.gap))
    #expect(list.losses(in: .cue).isEmpty)
    #expect(list.losses(in: .m3u).contains(.gaps))
  }

  @Test func `tracks have what the sheet says of them, and of the album`() throws {
    let list = try list(
      Array(
        """
        REM GENRE "Field recording"
        REM DATE 1999
        REM REPLAYGAIN_ALBUM_GAIN -6.00 dB
        REM ripped on a rainy day
        PERFORMER "The Album"
        TITLE "He said "go" twice"
        FILE "a.wav" WAVE
          TRACK 07 AUDIO
            TITLE "One "two" three"
            FLAGS DCP
            ISRC GBAYE0000001
            REM REPLAYGAIN_TRACK_PEAK 0.5
            INDEX 01 00:00:00
          TRACK 08 AUDIO
            PERFORMER Somebody else
            INDEX 01 00:01:00
        """.utf8))
    #expect(list.title == "He said \"go\" twice")
    let (first, second) = (list.entries[0], list.entries[1])
    #expect(first.title == "One \"two\" three")
    #expect(first.tags.artist == "The Album")
    #expect(first.tags.album == "He said \"go\" twice")
    #expect(first.tags.trackNumber == "7")
    #expect(first.tags[.genre] == ["Field recording"])
    #expect(first.tags[.isrc] == ["GBAYE0000001"])
    #expect(first.tags["REPLAYGAIN_ALBUM_GAIN"] == ["-6.00 dB"])
    #expect(first.tags["replaygain_track_peak"] == ["0.5"])
    #expect(second.tags["replaygain_track_peak"].isEmpty)
    #expect(second.tags.artist == "Somebody else")
    #expect(second.tags.albumArtist == "The Album")
    #expect(second.title == nil)
  }

  /// Bytes as Python's codecs make them of the title.
  @Test(arguments: ["utf-8", "utf-8-sig", "utf-16", "cp1252", "shift_jis"])
  func `the code of the text is found out`(code: String) throws {
    let title =
      code == "shift_jis"
      ? "日本の歌" : "Café Dvořák".replacing("ř", with: code == "cp1252" ? "r" : "ř")
    let path = "\(folder.path)/code.cue"
    try Tool.run(
      "/usr/bin/python3",
      [
        "-c",
        """
        import sys
        text = 'FILE "a.wav" WAVE\\r\\n TRACK 01 AUDIO\\r\\n  TITLE "%s"\\r\\n  INDEX 01 00:00:00\\r\\n' % sys.argv[2]
        open(sys.argv[1], 'wb').write(text.encode(sys.argv[3]))
        """, path, title, code,
      ])
    #expect(try PlaylistFile(path: path).entries.map(\.title) == [title])
  }

  @Test func `a file of another extension is found, and one with the sheet's name`() throws {
    _ = try folder.file("rip.flac", [0])
    let named = "FILE \"rip.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n"
    #expect(try entries(named)[0].path.text == "\(folder.path)/rip.flac")
    _ = try folder.file("a.FLAC", [0])
    #expect(
      try entries(named.replacing("rip.wav", with: "gone.wav"))[0].path.text
        == "\(folder.path)/a.FLAC")
  }

  @Test(arguments: [
    (
      "INDEX 01 00:60:00",
      "INDEX 1 at '00:60:00', which is not mm:ss:ff, of 75 ff a second (line 3 with text)"
    ),
    (
      "INDEX 01 00:00:75",
      "INDEX 1 at '00:00:75', which is not mm:ss:ff, of 75 ff a second (line 3 with text)"
    ),
    ("INDEX x 00:00:00", "INDEX 'x' is no number (line 3 with text)"),
  ])
  func `a time that is none is told with its line`(line: String, cause: String) throws {
    let error = #expect(throws: SoundFileError.self) {
      try entries("FILE \"a.wav\" WAVE\n\n TRACK 01 AUDIO\n  \(line)\n")
    }
    #expect(error?.kind == .broken)
    #expect(error?.cause == cause)
  }

  @Test func `a file without a name is refused`() throws {
    let error = #expect(throws: SoundFileError.self) { try entries("FILE \"\" WAVE\n") }
    #expect(error?.cause == "a FILE without a name (line 1 with text)")
  }

  @Test func `tracks that do not follow each other are refused`() throws {
    let error = #expect(throws: SoundFileError.self) {
      try entries(
        "FILE a.wav WAVE\nTRACK 01 AUDIO\nINDEX 01 00:09:00\nTRACK 02 AUDIO\nINDEX 01 00:08:00\n")
    }
    #expect(error?.cause == "track 1 does not end behind its begin")
  }

  @Test func `data is no track, and ends the one before`() throws {
    let text = """
      FILE a.bin BINARY
      TRACK 01 AUDIO
      INDEX 01 00:00:00
      TRACK 02 MODE1/2352
      INDEX 01 00:05:00
      """
    #expect(parts(try entries(text)) == ["a.bin 0-375"])
  }
}
