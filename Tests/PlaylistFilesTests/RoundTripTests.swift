// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PlaylistFiles
import SoundFiles
import TestFixtures
import TestSeeds
import Testing

/// Lists that are written and read again, here and by Python.
@Suite struct RoundTripTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let names = [
    "a.flac", "b c.flac", "#d.flac", "100%.flac", "50%25.flac", "e&f<g>.flac", "ä/ö.flac",
    " h.flac",
    "i\\j.flac", "k'l.flac", "[m].flac", "n.flac ",
  ]

  private func entries(_ random: inout SplitMix64, parts: Bool) -> [PlaylistFile.Entry] {
    (0..<Int.random(in: 1...40, using: &random)).map { _ in
      let name = Self.names.randomElement(using: &random)!
      var entry = PlaylistFile.Entry(path: BytePath("\(folder.path)/\(name)"))
      if Bool.random(using: &random) {
        entry.title = ["A, \"B\"", "<C> & D", "Ü"].randomElement(using: &random)
      }
      if Bool.random(using: &random) {
        entry.duration = MediaTime(
          value: Int64.random(in: 0..<9_999_999, using: &random), timescale: 1_000)
      }
      if parts, Bool.random(using: &random) {
        entry.start = MediaTime(
          value: Int64.random(in: 1...99_999, using: &random), timescale: 1_000)
        entry.end = entry.start + MediaTime(value: 5, timescale: 1)
        entry.duration = entry.end! - entry.start
      }
      return entry
    }
  }

  @Test(arguments: ["m3u8", "pls", "xspf", "asx"])
  func `what is written is read again as the same`(kind: String) throws {
    for seed in SplitMix64.givenSeeds ?? (1...50).map({ _ in SplitMix64().seed }) {
      var random = SplitMix64(seed: seed)
      let list = PlaylistFile(entries(&random, parts: kind != "pls"), title: "T & <U>")
      let path = BytePath("\(folder.path)/list.\(kind)")
      try list.write(to: path, overwrites: true)
      let again = try PlaylistFile(path: path)
      #expect(again.entries == list.entries, "SEEDS=\(seed)")
      #expect(again.title == list.title, "SEEDS=\(seed)")
    }
  }

  private let sheet = """
    REM GENRE "Rock"
    REM DATE 1999
    REM REPLAYGAIN_ALBUM_GAIN "-6.00 dB"
    CATALOG 0000000000001
    PERFORMER "Us"
    TITLE "Album"
    FILE "a.flac" WAVE
      TRACK 01 AUDIO
        TITLE "One"
        REM REPLAYGAIN_TRACK_GAIN "-7.10 dB"
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "Two "and" a half"
        PERFORMER "Them"
        ISRC GBAYE0000001
        INDEX 00 03:59:70
        INDEX 01 04:01:01
    FILE "b.mp3" MP3
      TRACK 03 AUDIO
        TITLE "Three"
        INDEX 01 00:00:00

    """

  @Test func `a cue sheet is written as it was read`() throws {
    let path = try folder.file(
      "a.cue", Array(sheet.replacing("INDEX 01 04:01:01", with: "INDEX 01 04:01:01").utf8))
    let list = try PlaylistFile(path: path)
    let losses = try list.write(to: BytePath("\(folder.path)/b.cue"))
    #expect(losses == [])
    let written = String(
      decoding: try TemporaryFolder.bytes(at: "\(folder.path)/b.cue"), as: UTF8.self)
    #expect(written == sheet)
  }

  @Test func `a cue sheet is the same by way of M3U, to the frame`() throws {
    let list = try PlaylistFile(path: try folder.file("a.cue", Array(sheet.utf8)))
    try list.write(to: BytePath("\(folder.path)/a.m3u8"))
    let again = try PlaylistFile(path: "\(folder.path)/a.m3u8")
    #expect(
      again.entries.map { RationalTime($0.start).frames(at: 44_100) } == [0, 18_076 * 588, 0])
    #expect(again.entries.map(\.path) == list.entries.map(\.path))
    #expect(again.entries.map(\.title) == ["Us - One", "Them - Two \"and\" a half", "Us - Three"])
    // From then on every writing is the same.
    try again.write(to: BytePath("\(folder.path)/b.m3u8"))
    #expect(
      try TemporaryFolder.bytes(at: "\(folder.path)/b.m3u8")
        == TemporaryFolder.bytes(at: "\(folder.path)/a.m3u8"))
  }

  @Test func `Python's parsers read the same names`() throws {
    let entries = Self.names.map { name in
      PlaylistFile.Entry(path: BytePath("/else where/\(name)"), title: "T \(name)")
    }
    for kind in ["xspf", "pls"] {
      try PlaylistFile(entries).write(to: BytePath("\(folder.path)/a.\(kind)"))
    }
    let script = """
      import sys, configparser, xml.etree.ElementTree as tree
      from urllib.parse import urlparse, unquote
      def path(text): return unquote(urlparse(text).path) if text.startswith('file://') else text
      if sys.argv[1].endswith('xspf'):
        space = '{http://xspf.org/ns/0/}'
        found = [path(e.text) for e in tree.parse(sys.argv[1]).iter(space + 'location')]
      else:
        pls = configparser.RawConfigParser(); pls.read(sys.argv[1], 'utf-8'); pls = pls['playlist']
        found = [path(pls['File%d' % (i + 1)]) for i in range(int(pls['NumberOfEntries']))]
      print('\\n'.join(found))
      """
    for kind in ["xspf", "pls"] {
      let found = try Tool.run("/usr/bin/python3", ["-c", script, "\(folder.path)/a.\(kind)"])
      #expect(found == Self.names.map { "/else where/\($0)\n" }.joined(), "\(kind)")
    }
  }

  @Test func `what a format has no place for is told`() throws {
    let list = try PlaylistFile(path: try folder.file("a.cue", Array(sheet.utf8)))
    #expect(list.losses(in: .pls) == [.clips, .tags])
    #expect(list.losses(in: .m3u) == [.tags])
    var entry = PlaylistFile.Entry(path: "a.flac")
    entry.start = MediaTime(value: 1, timescale: 1_000)
    entry.end = MediaTime(value: 1, timescale: 1)
    #expect(PlaylistFile([entry]).losses(in: .cue) == [.ends, .fractions])
  }

  @Test func `a list that is there is not replaced unasked`() throws {
    let path = BytePath(try folder.file("a.pls", [0]))
    let error = #expect(throws: SoundFileError.self) { try PlaylistFile([]).write(to: path) }
    #expect(error?.kind == .exists)
    #expect(throws: Never.self) { try PlaylistFile([]).write(to: path, overwrites: true) }
  }
}
